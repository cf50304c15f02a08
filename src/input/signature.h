/* What may stand behind the derivation of a report: one signature of the whole of it.
 *
 * Requires: the elements of a report that is valid against its schema.
 * Provides: whether what stands there has the form of schema/signature.xml: one reference, to the whole document, by no transforms but
 *           those that leave the signature out and write the rest canonically; algorithms that are not broken; and as the key's information
 *           certificates alone. Nothing else, as the signature does not protect what stands inside of itself. Whose signature it is, and
 *           whether it is good, is for xmlsec1 to say.
 * Source:   W3C XML Signature Syntax and Processing 1.1, 4 and 6.6.4; gpubound-report(1).
 * Fails:    with a diagnostic, the result is false.
 */
#ifndef INPUT_SIGNATURE_H
#define INPUT_SIGNATURE_H

#include "input/xml.h"

/* *is_signed: there is one. */
bool signature_is_plain(struct diagnostics *diagnostics, const char *path, const struct xml_element *root, bool *is_signed);

#endif
