/* The elements of a signature, compared with those of the template one by one. */
#include "input/signature.h"

#include <string.h>

#define DSIG "http://www.w3.org/2000/09/xmldsig#"
#define MORE "http://www.w3.org/2001/04/xmldsig-more#"
#define ENC "http://www.w3.org/2001/04/xmlenc#"
#define CANONICAL "http://www.w3.org/2001/10/xml-exc-c14n#"

enum content { NOTHING, ELEMENTS, BASE64 };

struct part {
	const char *name;
	int depth;
	enum content content;
	const char *attribute;        /* the only one; NULL: none */
	const char *const *permitted; /* its values, ended by NULL */
};

static const char *const canonical[] = {CANONICAL, NULL}, *const enveloped[] = {DSIG "enveloped-signature", NULL},
			 *const whole[] = {"", NULL};
static const char *const digests[] = {ENC "sha256", MORE "sha384", ENC "sha512", NULL};
static const char *const signatures[] = {MORE "rsa-sha256", MORE "rsa-sha384", MORE "rsa-sha512", MORE "ecdsa-sha256", MORE "ecdsa-sha384",
	MORE "ecdsa-sha512", "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
	"http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1", "http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1", NULL};

/* In their order; the last one may be repeated, for a chain of certificates. */
static const struct part parts[] = {
	{"Signature", 0, ELEMENTS, NULL, NULL},
	{"SignedInfo", 1, ELEMENTS, NULL, NULL},
	{"CanonicalizationMethod", 2, NOTHING, "Algorithm", canonical},
	{"SignatureMethod", 2, NOTHING, "Algorithm", signatures},
	{"Reference", 2, ELEMENTS, "URI", whole},
	{"Transforms", 3, ELEMENTS, NULL, NULL},
	{"Transform", 4, NOTHING, "Algorithm", enveloped},
	{"Transform", 4, NOTHING, "Algorithm", canonical},
	{"DigestMethod", 3, NOTHING, "Algorithm", digests},
	{"DigestValue", 3, BASE64, NULL, NULL},
	{"SignatureValue", 1, BASE64, NULL, NULL},
	{"KeyInfo", 1, ELEMENTS, NULL, NULL},
	{"X509Data", 2, ELEMENTS, NULL, NULL},
	{"X509Certificate", 3, BASE64, NULL, NULL},
};
#define PART_COUNT ((int)(sizeof parts / sizeof *parts))

struct walk {
	struct diagnostics *diagnostics;
	const char *path;
	int next; /* part */
};

static bool refuse(const struct walk *walk, const struct xml_element *element, const char *expected, const char *found)
{
	struct arena *arena = walk->diagnostics->arena;
	diagnose(walk->diagnostics, DIAGNOSTIC_SIGNATURE_FORM, walk->path, element->line,
		"expected behind the derivation nothing, or one signature in the form of schema/signature.xml, here %s; got %s", expected,
		element_shorten(arena, found, SHORT_VALUE));
	return false;
}

static bool has_attribute(const struct walk *walk, const struct xml_element *element, const struct part *part)
{
	const char *value = part->attribute == NULL ? NULL : element_get(element, part->attribute);
	const char *const *permitted = part->permitted;
	if (element->prefixed || element->attribute_count != (part->attribute != NULL))
		return refuse(walk, element, part->attribute == NULL ? "no attribute" : part->attribute, "other attributes");
	if (part->attribute == NULL)
		return true;
	if (value == NULL)
		return refuse(walk, element, part->attribute, element->attributes[0].name);
	while (*permitted != NULL && strcmp(*permitted, value) != 0)
		permitted++;
	return *permitted != NULL ||
	       refuse(walk, element, "an algorithm and a URI that gpubound-report(1) names", *value == '\0' ? "none" : value);
}

static bool has_text(const struct walk *walk, const struct xml_element *element, const struct part *part)
{
	static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= ";
	bool good = part->content == BASE64 ? element->text[strspn(element->text, base64)] == '\0' : *element->text == '\0';
	return good || refuse(walk, element, part->content == BASE64 ? "base64" : "no text", element->text);
}

static bool follows(struct walk *walk, const struct xml_element *element, int depth)
{
	bool again = walk->next == PART_COUNT && depth == parts[PART_COUNT - 1].depth;
	const struct part *part = walk->next < PART_COUNT ? &parts[walk->next++] : again ? &parts[PART_COUNT - 1] : NULL;
	bool same = part != NULL && part->depth == depth && strcmp(element->name, part->name) == 0 && element->space != NULL &&
		    strcmp(element->space, DSIG) == 0;
	if (!same)
		return refuse(walk, element, part == NULL ? "nothing" : part->name, element->name);
	if (!has_attribute(walk, element, part) || !has_text(walk, element, part))
		return false;
	for (const struct xml_element *child = element->first; child != NULL; child = child->next)
		if (!follows(walk, child, depth + 1))
			return false;
	return true;
}

bool signature_is_plain(struct diagnostics *diagnostics, const char *path, const struct xml_element *root, bool *is_signed)
{
	struct walk walk = {diagnostics, path, 0};
	const struct xml_element *first = root->first;
	while (first != NULL && first->space == NULL)
		first = first->next;
	*is_signed = first != NULL;
	if (first == NULL)
		return true;
	if (!follows(&walk, first, 0))
		return false;
	if (first->next != NULL)
		return refuse(&walk, first->next, "nothing", first->next->name);
	return walk.next == PART_COUNT || refuse(&walk, first, parts[walk.next].name, "nothing");
}
