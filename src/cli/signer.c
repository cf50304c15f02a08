/* The commands of gpubound-report(1), SIGNING, for whoever has the certificate of an authority. */
#include "cli/signer.h"

#include "base/output.h"
#include "cli/run_tool.h"

#include <string.h>

struct signed_report {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const struct report_file *report;
	const char *authority_path;
	struct tool_text whole, first, further, authority;
};

static bool refuse(const struct signed_report *it, enum diagnostic_code code, const char *expected)
{
	diagnose(it->diagnostics, code, it->report->path, 0, "%s", expected);
	return false;
}

static bool lacks(const struct signed_report *it, const char *tool)
{
	return refuse(it, DIAGNOSTIC_ACCEPT_TOOL,
		arena_format(it->arena, "expected %s, which says whether a signature is good; it could not be run", tool));
}

/* The next element of a tree in the order of the text that has this name, within `element`. */
static const struct xml_element *find(const struct xml_element *element, const char *name)
{
	for (const struct xml_element *child = element->first; child != NULL; child = child->next) {
		if (strcmp(child->name, name) == 0)
			return child;
		const struct xml_element *inside = find(child, name);
		if (inside != NULL)
			return inside;
	}
	return NULL;
}

#define PEM_LINE 64 /* characters, RFC 7468 */

/* Spaces between the characters are the report's, lines PEM's. */
static void add_pem(struct output *pem, const char *base64)
{
	int column = 0;
	output_add(pem, "-----BEGIN CERTIFICATE-----\n");
	for (; *base64 != '\0'; base64++) {
		if (*base64 == ' ')
			continue;
		output_add_bytes(pem, base64, 1);
		if (++column % PEM_LINE == 0)
			output_add(pem, "\n");
	}
	output_add(pem, column % PEM_LINE == 0 ? "-----END CERTIFICATE-----\n" : "\n-----END CERTIFICATE-----\n");
}

/* The signer's certificate, and those that may stand between it and the authority. */
static void split_certificates(struct signed_report *it, const struct xml_element *certificate)
{
	struct output first = {0}, further = {0};
	add_pem(&first, certificate->text);
	for (certificate = certificate->next; certificate != NULL; certificate = certificate->next)
		add_pem(&further, certificate->text);
	it->first = tool_text(it->arena, first.text, first.length);
	if (further.length > 0)
		it->further = tool_text(it->arena, further.text, further.length);
	output_finish(&first);
	output_finish(&further);
}

static bool is_vouched_for(const struct signed_report *it)
{
	const char *words[16];
	int count = 0;
	const char *const fixed[] = {
		"openssl", "verify", "-no-CApath", "-no-CAstore", "-auth_level", "2", "-CAfile", it->authority.name, NULL};
	while (fixed[count] != NULL) {
		words[count] = fixed[count];
		count++;
	}
	if (it->further.name != NULL) {
		words[count++] = "-untrusted";
		words[count++] = it->further.name;
	}
	words[count++] = it->first.name;
	words[count] = NULL;
	enum tool_outcome outcome = tool_run(it->arena, words, NULL);
	if (outcome == TOOL_ABSENT)
		return lacks(it, "openssl");
	return outcome == TOOL_GOOD || refuse(it, DIAGNOSTIC_ACCEPT_CERTIFICATE,
					       arena_format(it->arena,
						       "expected a signer's certificate for which %s vouches today; got another "
						       "authority's, one that is out of its time "
						       "or not a certificate",
						       it->authority_path));
}

static bool is_signed_by_first(const struct signed_report *it)
{
	const char *const words[] = {"xmlsec1", "--verify", "--enabled-reference-uris", "empty", "--enabled-key-data", "key-name",
		"--pubkey-cert-pem", it->first.name, it->whole.name, NULL};
	enum tool_outcome outcome = tool_run(it->arena, words, NULL);
	if (outcome == TOOL_ABSENT)
		return lacks(it, "xmlsec1");
	return outcome == TOOL_GOOD || refuse(it, DIAGNOSTIC_ACCEPT_SIGNATURE,
					       "expected a signature of this text by the key of its first certificate; the text was "
					       "changed, or another key signed it");
}

static bool find_subject(const struct signed_report *it, const char **subject)
{
	const char *const words[] = {"openssl", "x509", "-noout", "-subject", "-nameopt", "RFC2253", "-in", it->first.name, NULL};
	const char *printed;
	if (tool_run(it->arena, words, &printed) != TOOL_GOOD || strncmp(printed, "subject=", 8) != 0)
		return lacks(it, "openssl");
	*subject = arena_format(it->arena, "%.*s", (int)strcspn(printed + 8, "\n"), printed + 8);
	return true;
}

static bool decide(
	struct signed_report *it, const struct xml_element *certificate, const char *authority, size_t length, const char **subject)
{
	split_certificates(it, certificate);
	it->whole = tool_text(it->arena, it->report->bytes, it->report->length);
	it->authority = tool_text(it->arena, authority, length);
	if (it->first.name == NULL || it->whole.name == NULL || it->authority.name == NULL)
		return lacks(it, "a folder for temporary files");
	return is_vouched_for(it) && is_signed_by_first(it) && find_subject(it, subject);
}

bool signer_find(struct diagnostics *diagnostics, const struct report_file *report, const char *authority_path, const char *authority,
	size_t authority_length, const char **subject)
{
	struct signed_report it = {
		.arena = diagnostics->arena, .diagnostics = diagnostics, .report = report, .authority_path = authority_path};
	const struct xml_element *certificate = report->is_signed ? find(report->root, "X509Certificate") : NULL;
	if (certificate == NULL)
		return refuse(
			&it, DIAGNOSTIC_ACCEPT_UNSIGNED, "expected a report that is signed, with the signer's certificate in it; got none");
	bool good = decide(&it, certificate, authority, authority_length, subject);
	tool_text_finish(&it.whole);
	tool_text_finish(&it.first);
	tool_text_finish(&it.further);
	tool_text_finish(&it.authority);
	return good;
}
