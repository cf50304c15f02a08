/* Who signed a report, by two programs that others keep: openssl(1) says whom an authority vouches for, xmlsec1(1) whose signature it is.
 *
 * Requires: a report that input_read_report accepted, so that its signature, if it has one, has the form of schema/signature.xml; the
 *           certificate of the authority, PEM.
 * Provides: true iff the report is signed, whole, by the key of its first certificate, and the authority vouches for that one today, by the
 *           further ones at most; *subject: whose certificate it is, as RFC 2253 writes names. No authority of the system's own list
 * counts, and no key that the report brings but that one. Source:   gpubound-report(1), SIGNING; W3C XML Signature Syntax and
 * Processing 1.1; RFC 5280. Fails:    false with one diagnostic: accept-unsigned, accept-certificate, accept-signature, or accept-tool
 * where one of the two programs is not there.
 */
#ifndef CLI_SIGNER_H
#define CLI_SIGNER_H

#include "base/diagnostics.h"
#include "input/read_report.h"

bool signer_find(struct diagnostics *diagnostics, const struct report_file *report, const char *authority_path, const char *authority,
	size_t authority_length, const char **subject);

#endif
