"""Writes what the program is made of, as SPDX 2.3 and as CycloneDX 1.5 (both JSON): the files that a build links, with their hashes, and the
libraries that they are linked with or load late, with the versions that they were built against.

usage: sbom.py OUTPUT.spdx.json OUTPUT.cdx.json VERSION COMPILER SOURCE_HASH.C LATE FILE... -- LIBRARY=VERSION...

The libraries are those that the files themselves name (DT_NEEDED, by readelf); LATE names those that they load (base/late.h). One without a row below
or without a version, and a version of what is neither linked nor loaded, is an error: the list cannot say less or more than the files do.
The same files give the same bytes: the date is SOURCE_DATE_EPOCH's, else the first of 1970; names are derived from hashes.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

# Name in meson.build: the beginning of the file's name, the licence as its authors state it, its home.
LIBRARIES = {
    "glibc": (("libc", "libm", "ld-linux-x86-64", "ld-linux-aarch64"), "LGPL-2.1-or-later", "https://www.gnu.org/software/libc/"),
    "glpk": (("libglpk",), "GPL-3.0-or-later", "https://www.gnu.org/software/glpk/"),
    "gmp": (("libgmp",), "LGPL-3.0-or-later OR GPL-2.0-or-later", "https://gmplib.org/"),
    "jansson": (("libjansson",), "MIT", "https://github.com/akheron/jansson"),
    "libcsv": (("libcsv",), "LGPL-2.1-or-later", "https://github.com/rgamble/libcsv"),
    "libxml2": (("libxml2",), "MIT", "https://gitlab.gnome.org/GNOME/libxml2"),
    "libxslt": (("libxslt",), "MIT", "https://gitlab.gnome.org/GNOME/libxslt"),
    "nettle": (("libnettle",), "LGPL-3.0-or-later OR GPL-2.0-or-later", "https://www.lysator.liu.se/~nisse/nettle/"),
    "sqlite": (("libsqlite3",), "blessing", "https://sqlite.org/"),
    "zlib": (("libz",), "Zlib", "https://zlib.net/"),
}
# Run as programs of their own, by gpubound accept; whichever version is there.
PROGRAMS = {
    "openssl": ("Apache-2.0", "https://www.openssl.org/"),
    "xmlsec1": ("MIT", "https://www.aleksey.com/xmlsec/"),
}
LICENCE, HOME = "GPL-3.0-or-later", "NOASSERTION"


def needed(path):
    text = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout
    return re.findall(r"\(NEEDED\)\s+Shared library: \[([^\]]*)\]", text)


def library_of(soname):
    for name, (stems, *_) in LIBRARIES.items():
        if soname.split(".so")[0] in stems:
            return name
    return None


def linked(files, versions):
    """{file's name: its libraries}, {library: its files' names}."""
    of_file, of_all = {}, {}
    for path in files:
        for soname in needed(path):
            name = library_of(soname)
            if name is None or name not in versions:
                sys.exit(f"sbom.py: {path} is linked with {soname}, which has no {'row in LIBRARIES' if name is None else 'version'}")
            of_file.setdefault(path.name, set()).add(name)
            of_all.setdefault(name, set()).add(soname)
    if set(versions) != set(of_all):
        sys.exit(f"sbom.py: a version is given of what nothing is linked with: {', '.join(sorted(set(versions) - set(of_all)))}")
    return of_file, of_all


class Build:
    def __init__(self, version, compiler, source, late, files, versions):
        self.version, self.compiler, self.files, self.versions = version, compiler, files, dict(sorted(versions.items()))
        self.source = re.search(r'"([0-9a-f]{64})"', source.read_text()).group(1)
        self.of_file, self.sonames = linked([late, *files], versions)
        self.late = sorted(self.of_file[late.name] - set().union(*(self.of_file[path.name] for path in files)))
        self.sums = {path.name: {kind: hashlib.new(kind, path.read_bytes()).hexdigest() for kind in ("sha1", "sha256")} for path in files}
        self.digest = hashlib.sha256("".join(sums["sha256"] for _, sums in sorted(self.sums.items())).encode()).hexdigest()
        seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or 0)
        self.date = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def spdx_package(name, version, licence, home, **more):
    return {"SPDXID": f"SPDXRef-{name}", "name": name, **({"versionInfo": version} if version else {}), "downloadLocation": home,
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}


def spdx(build):
    sums = sorted(one["sha1"] for one in build.sums.values())
    own = spdx_package("gpubound", build.version, LICENCE, HOME, filesAnalyzed=True, hasFiles=[f"SPDXRef-file-{name}" for name in build.sums],
                       packageVerificationCode={"packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()},
                       licenseInfoFromFiles=["NOASSERTION"], primaryPackagePurpose="APPLICATION", sourceInfo=f"SHA-256 of the sources (source_hash.py): {build.source}",
                       comment=f"compiler: {build.compiler}")
    libraries = [spdx_package(name, version, *LIBRARIES[name][1:], primaryPackagePurpose="LIBRARY", packageFileName=" ".join(sorted(build.sonames[name])))
                 for name, version in build.versions.items()]
    programs = [spdx_package(name, None, licence, home, primaryPackagePurpose="APPLICATION", comment="run as a program of its own by gpubound accept; not linked")
                for name, (licence, home) in PROGRAMS.items()]
    files = [{"SPDXID": f"SPDXRef-file-{name}", "fileName": f"./{name}", "fileTypes": ["BINARY"], "licenseConcluded": "NOASSERTION",
              "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION",
              "checksums": [{"algorithm": kind.upper(), "checksumValue": value} for kind, value in sums.items()]} for name, sums in build.sums.items()]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-gpubound")]
    relations += [("SPDXRef-gpubound", "CONTAINS", f"SPDXRef-file-{name}") for name in build.sums]
    relations += [(f"SPDXRef-file-{name}", "DYNAMIC_LINK", f"SPDXRef-{library}") for name in build.sums for library in sorted(build.of_file[name])]
    relations += [(f"SPDXRef-{name}", "RUNTIME_DEPENDENCY_OF", "SPDXRef-gpubound") for name in build.late]
    relations += [(f"SPDXRef-{name}", "OPTIONAL_DEPENDENCY_OF", "SPDXRef-gpubound") for name in PROGRAMS]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"gpubound-{build.version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/gpubound-{build.version}-{build.digest}",
            "creationInfo": {"created": build.date, "creators": [f"Tool: gpubound-sbom.py-{build.version}"]},
            "packages": [own, *libraries, *programs], "files": files,
            "relationships": [{"spdxElementId": a, "relationshipType": how, "relatedSpdxElement": b} for a, how, b in relations]}


def cyclonedx_component(kind, name, version, licence, home, **more):
    one = {"expression": licence} if " OR " in licence else {"license": {"id": licence}}
    return {"type": kind, "bom-ref": name, "name": name, **({"version": version, "purl": f"pkg:generic/{name}@{version}"} if version else {}),
            "licenses": [one], **({"externalReferences": [{"type": "website", "url": home}]} if home != "NOASSERTION" else {}), **more}


def cyclonedx(build):
    files = [{"type": "file", "bom-ref": f"file:{name}", "name": name,
              "hashes": [{"alg": {"sha1": "SHA-1", "sha256": "SHA-256"}[kind], "content": value} for kind, value in sums.items()]}
             for name, sums in build.sums.items()]
    own = cyclonedx_component("application", "gpubound", build.version, LICENCE, HOME, components=files, properties=[
        {"name": "gpubound:source-sha256", "value": build.source}, {"name": "gpubound:compiler", "value": build.compiler}])
    libraries = [cyclonedx_component("library", name, version, *LIBRARIES[name][1:], scope="required", properties=[
        {"name": "gpubound:soname", "value": soname} for soname in sorted(build.sonames[name])]) for name, version in build.versions.items()]
    programs = [cyclonedx_component("application", name, None, licence, home, scope="optional",
                                    description="run as a program of its own by gpubound accept; not linked") for name, (licence, home) in PROGRAMS.items()]
    everything = [*build.versions, *PROGRAMS]
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, build.digest)}", "version": 1,
            "metadata": {"timestamp": build.date, "component": own}, "components": [*libraries, *programs],
            "dependencies": [{"ref": "gpubound", "dependsOn": sorted(everything)},
                             *({"ref": f"file:{name}", "dependsOn": sorted(build.of_file[name])} for name in build.sums),
                             *({"ref": name} for name in sorted(everything))]}


def main():
    words = sys.argv[1:]
    if "--" not in words or words.index("--") < 7:
        sys.exit(__doc__)
    at = words.index("--")
    spdx_path, cyclonedx_path, version, compiler, *files = words[:at]
    source, late, *files = map(pathlib.Path, files)
    build = Build(version, compiler, source, late, files, dict(word.split("=", 1) for word in words[at + 1:]))
    for path, form in ((spdx_path, spdx), (cyclonedx_path, cyclonedx)):
        pathlib.Path(path).write_text(json.dumps(form(build), indent=1) + "\n")


if __name__ == "__main__":
    main()
