/* A text that says what one says that was read, but for values of attributes: what they stand in is read, and the rest is as it was.
 *
 * Requires: two texts with their elements' places, of which the first was read as `stated`, and the second differs from it in nothing but
 *           attributes and in elements that are more.
 * Provides: the elements of the second one, as xml_read would give them; in the caller's arena, but for what is `stated`'s.
 *           An excerpt goes through xml_read: of each run of elements of one name below the root those with a change, or else the first. A
 *           schema without keys judges a value where it stands, and a run by what follows what, so that the excerpt is valid only if the
 *           whole is. What a value may say of other elements, namespaces, is left to reading the whole, as are lines that move and
 *           attributes that are more or less.
 * Fails:    NULL, without a word: the whole is to be read, and is then refused as ever, or not.
 */
#ifndef INPUT_REREAD_H
#define INPUT_REREAD_H

#include "input/markup.h"
#include "input/xml.h"

struct xml_element *reread(struct arena *arena, const char *vocabulary, const char *schemas, const struct xml_element *stated,
	const struct markup *before, const struct markup *now);

#endif
