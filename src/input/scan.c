/* A tokeniser that is stricter than XML where that costs nobody anything, and builds nothing. */
#include "input/scan.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

struct scan {
	struct diagnostics *diagnostics;
	const char *path;
	const char *from, *at, *end; /* *end is NUL */
	int depth, nodes, most_nodes;
};

/* Lines are counted when one is asked for. */
static long line_of(const struct scan *scan)
{
	long line = 1;
	for (const char *at = scan->from; at < scan->at; at++)
		line += *at == '\n';
	return line;
}

#define REFUSE(scan, code, ...) (diagnose((scan)->diagnostics, DIAGNOSTIC_##code, (scan)->path, line_of(scan), __VA_ARGS__), false)

/* ---- bytes */

/* The length of the UTF-8 sequence at the text, 0 where there is none. Unicode 15, table 3-7. */
static int sequence_length(const unsigned char *text)
{
	static const struct {
		unsigned char first, last, second_first, second_last;
		int length;
	} rows[] = {
		{0x01, 0x7f, 0, 0, 1},
		{0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3},
		{0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3},
		{0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4},
		{0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (text[0] < rows[i].first || text[0] > rows[i].last)
			continue;
		if (rows[i].length > 1 && (text[1] < rows[i].second_first || text[1] > rows[i].second_last))
			return 0;
		for (int k = 2; k < rows[i].length; k++)
			if ((text[k] & 0xc0) != 0x80)
				return 0;
		return rows[i].length;
	}
	return 0;
}

/* Behind as many eights of bytes as are ASCII and not NUL: most of a file. */
static const char *skip_ascii(const char *at, const char *end)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
	for (uint64_t eight; end - at >= (ptrdiff_t)sizeof eight; at += sizeof eight) {
		memcpy(&eight, at, sizeof eight);
		if (((eight | (eight - ones)) & tops) != 0)
			break;
	}
	return at;
}

static bool check_bytes(struct scan *scan)
{
	if (scan->at == scan->end)
		return REFUSE(scan, XML_MALFORMED, "expected an XML document; the file is empty");
	while ((scan->at = skip_ascii(scan->at, scan->end)) < scan->end) {
		unsigned char byte = (unsigned char)*scan->at;
		int length = byte < 0x80 ? 1 : sequence_length((const unsigned char *)scan->at);
		if (byte == '\0')
			return REFUSE(scan, XML_ENCODING,
				"expected XML text in UTF-8; got a NUL byte, as in UTF-16 or in a file that is no text");
		if (length == 0)
			return REFUSE(scan, XML_ENCODING, "expected XML text in UTF-8; got the byte 0x%02x", byte);
		scan->at += length;
	}
	scan->at = scan->from;
	return true;
}

/* ---- tokens */

static bool starts(const struct scan *scan, const char *text)
{
	return strncmp(scan->at, text, strlen(text)) == 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool ends_name(char c)
{
	static const bool ends[256] = {[' '] = true,
		['\t'] = true,
		['\r'] = true,
		['\n'] = true,
		['/'] = true,
		['>'] = true,
		['='] = true,
		['<'] = true,
		['"'] = true,
		['\''] = true,
		['&'] = true};
	return ends[(unsigned char)c];
}

static const char *find_text(const struct scan *scan, const char *text)
{
	const char *at = scan->at;
	while ((at = memchr(at, text[0], (size_t)(scan->end - at))) != NULL && strncmp(at, text, strlen(text)) != 0)
		at++;
	return at != NULL ? at : scan->end;
}

static void skip_space(struct scan *scan)
{
	while (scan->at < scan->end && is_blank(*scan->at))
		scan->at++;
}

static bool count_nodes(struct scan *scan, int nodes)
{
	scan->nodes += nodes;
	return scan->nodes <= scan->most_nodes ||
	       REFUSE(scan, XML_TOO_LARGE, "expected at most %d elements, attributes and texts in a file", scan->most_nodes);
}

static bool check_length(struct scan *scan, const char *what, ptrdiff_t length, ptrdiff_t most)
{
	return length <= most || REFUSE(scan, XML_TOO_LARGE, "expected %s of at most %td bytes; got %td", what, most, length);
}

static bool scan_name(struct scan *scan)
{
	const char *name_end = scan->at;
	while (name_end < scan->end && !ends_name(*name_end))
		name_end++;
	ptrdiff_t length = name_end - scan->at;
	if (length == 0)
		return REFUSE(scan, XML_MALFORMED, "expected a name, NAME=\"VALUE\", \"/>\" or \">\" in this tag");
	if (!check_length(scan, "a name", length, SCAN_NAME))
		return false;
	scan->at += length;
	return true;
}

static const char *find_byte(const char *at, char byte, const char *end) /* the end: it is not there */
{
	const char *found = memchr(at, byte, (size_t)(end - at));
	return found != NULL ? found : end;
}

static bool scan_attribute(struct scan *scan)
{
	if (!scan_name(scan) || !count_nodes(scan, 2))
		return false;
	skip_space(scan);
	if (*scan->at != '=')
		return REFUSE(scan, XML_MALFORMED, "expected \"=\" behind an attribute's name");
	scan->at++;
	skip_space(scan);
	if (*scan->at != '"' && *scan->at != '\'')
		return REFUSE(scan, XML_MALFORMED, "expected an attribute's value in quotes");
	const char quote = *scan->at, *value = scan->at + 1;
	const char *stop = find_byte(value, quote, scan->end);
	stop = find_byte(value, '<', stop);
	if (!check_length(scan, "a value", stop - value, SCAN_VALUE))
		return false;
	if (*stop != quote)
		return REFUSE(scan, XML_MALFORMED, "expected a %c at the end of this value, and no \"<\" in it", quote);
	scan->at = stop + 1;
	return true;
}

static bool scan_start_tag(struct scan *scan)
{
	scan->at++;
	if (!scan_name(scan) || !count_nodes(scan, 1))
		return false;
	for (int attributes = 0;; attributes++) {
		skip_space(scan);
		if (*scan->at == '>' || (scan->at[0] == '/' && scan->at[1] == '>'))
			break;
		if (attributes == SCAN_ATTRIBUTES)
			return REFUSE(scan, XML_TOO_LARGE, "expected at most %d attributes in a tag", SCAN_ATTRIBUTES);
		if (!scan_attribute(scan))
			return false;
	}
	scan->depth += *scan->at == '>';
	if (scan->depth > SCAN_DEPTH)
		return REFUSE(scan, XML_TOO_DEEP, "expected elements nested at most %d deep", SCAN_DEPTH);
	scan->at += *scan->at == '>' ? 1 : 2;
	return true;
}

static bool scan_end_tag(struct scan *scan)
{
	scan->at += 2;
	if (!scan_name(scan))
		return false;
	skip_space(scan);
	if (*scan->at != '>')
		return REFUSE(scan, XML_MALFORMED, "expected \">\" at the end of an end tag");
	scan->at++;
	scan->depth--;
	return true;
}

/* Everything up to the next `closing`, or to the end. */
static bool scan_run(struct scan *scan, const char *what, const char *closing)
{
	const char *stop = find_text(scan, closing);
	if (stop == scan->at)
		return true;
	if (!check_length(scan, what, stop - scan->at, SCAN_VALUE) || !count_nodes(scan, 1))
		return false;
	scan->at = stop;
	return true;
}

/* What has an opening and a closing mark: a comment, a processing instruction, CDATA. */
static bool scan_marked(struct scan *scan, const char *what, const char *opening, const char *closing)
{
	const char *from = scan->at;
	scan->at += strlen(opening);
	if (!scan_run(scan, what, strcmp(opening, "<!--") == 0 ? "--" : closing))
		return false;
	if (!starts(scan, closing)) {
		scan->at = scan->at == scan->end ? from : scan->at;
		return REFUSE(scan, XML_MALFORMED, "expected %s that ends with \"%s\"", what, closing);
	}
	scan->at += strlen(closing);
	return true;
}

static bool scan_token(struct scan *scan)
{
	if (*scan->at != '<')
		return scan_run(scan, "a text", "<");
	if (scan->at[1] != '!' && scan->at[1] != '?')
		return scan->at[1] == '/' ? scan_end_tag(scan) : scan_start_tag(scan);
	if (starts(scan, "<!--"))
		return scan_marked(scan, "a comment without \"--\" in it", "<!--", "-->");
	if (starts(scan, "<?"))
		return scan_marked(scan, "a processing instruction", "<?", "?>");
	if (starts(scan, "<![CDATA["))
		return scan_marked(scan, "a CDATA section", "<![CDATA[", "]]>");
	return REFUSE(scan, XML_DOCTYPE, "expected no document type declaration and no entities; got one");
}

/* ---- the XML declaration */

static bool check_encoding(struct scan *scan)
{
	const char *end = find_text(scan, "?>"), *found = find_text(scan, "encoding");
	if (!starts(scan, "<?xml") || found >= end)
		return true;
	found += strlen("encoding");
	found += strspn(found, " \t\r\n=\"'");
	size_t length = strcspn(found, " \t\r\n\"'?");
	if ((length == 5 && strncasecmp(found, "UTF-8", 5) == 0) || (length == 8 && strncasecmp(found, "US-ASCII", 8) == 0))
		return true;
	return REFUSE(scan, XML_ENCODING, "expected the encoding UTF-8; got \"%.*s\"", (int)(length < 40 ? length : 40), found);
}

bool scan_xml(struct diagnostics *diagnostics, const char *path, const char *bytes, size_t length, int nodes)
{
	struct scan scan = {diagnostics, path, bytes, bytes, bytes + length, 0, 0, nodes};
	if (!check_bytes(&scan))
		return false;
	if (starts(&scan, "\xef\xbb\xbf"))
		scan.at += 3;
	if (!check_encoding(&scan))
		return false;
	while (scan.at < scan.end)
		if (!scan_token(&scan))
			return false;
	return true;
}
