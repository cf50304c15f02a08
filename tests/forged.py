"""A report after somebody changed it: what a forger who knows the format would hand out."""
import hashlib
import re
import zlib


def mended(report):
    """The report with the sums that its text has now, so that it is the derivation that has to find what was changed; one without a text stays."""
    if not re.search(r"<report [^>]*>", report) or "<invocation" not in report or "</derivation>" not in report:
        return report
    body = report[report.index("<invocation"):report.rindex("</derivation>") + len("</derivation>")]
    text = (re.search(r"<report [^>]*>", report).group() + "\n" + body).encode()
    lines = text.splitlines(keepends=True)
    each = -(-len(lines) // 8000)
    parts = lines if each == 1 else [b"".join(lines[i:i + each]) for i in range(0, len(lines), each)]
    crcs = "%08x" * len(parts) % tuple(map(zlib.crc32, parts))
    digest = hashlib.sha256(text).hexdigest()
    return re.sub(r' content-sha256="[0-9a-f]*" line-crc32="[0-9a-f]*"', f' content-sha256="{digest}" line-crc32="{crcs}"', report)
