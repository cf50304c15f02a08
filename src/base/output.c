#include "base/output.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct output *output, size_t more)
{
	size_t wanted = output->length + more + 1;
	if (wanted <= output->capacity)
		return;
	size_t capacity = output->capacity < 256 ? 256 : output->capacity;
	while (capacity < wanted)
		capacity *= 2;
	output->text = memory_resize(output->text, capacity);
	output->capacity = capacity;
}

void output_add_bytes(struct output *output, const char *bytes, size_t length)
{
	reserve(output, length);
	memcpy(output->text + output->length, bytes, length);
	output->length += length;
	output->text[output->length] = '\0';
}

void output_add(struct output *output, const char *text)
{
	output_add_bytes(output, text, strlen(text));
}

void output_print(struct output *output, const char *format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	reserve(output, 0);
	size_t room = output->capacity - output->length;
	int length = vsnprintf(output->text + output->length, room, format, arguments);
	va_end(arguments);
	if (length >= 0 && (size_t)length >= room) { /* again, where there is room */
		reserve(output, (size_t)length);
		vsnprintf(output->text + output->length, (size_t)length + 1, format, again);
	}
	output->length += length > 0 ? (size_t)length : 0;
	output->text[output->length] = '\0';
	va_end(again);
}

static const char *xml_entity(char c)
{
	switch (c) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\n': return "&#10;";
	case '\t': return "&#9;";
	case '\r': return "&#13;";
	default: return NULL;
	}
}

/* Bytes of the character that stands at `text`, 0 where it is not UTF-8 (RFC 3629) or XML 1.0 has no such character. */
static size_t xml_character(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	if (c[0] < 0x80)
		return c[0] >= ' ';
	size_t length = c[0] >= 0xC2 && c[0] < 0xE0 ? 2 : (c[0] & 0xF0) == 0xE0 ? 3 : c[0] >= 0xF0 && c[0] <= 0xF4 ? 4 : 0;
	unsigned long code = length == 0 ? 0 : c[0] & (0x7Fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((c[i] & 0xC0) != 0x80)
			return 0;
		code = code << 6 | (c[i] & 0x3F);
	}
	bool shortest = length != 3 || code >= 0x800;
	bool in_range = (length != 4 || (code >= 0x10000 && code <= 0x10FFFF)) && !(code >= 0xD800 && code <= 0xDFFF);
	return shortest && in_range && code != 0xFFFE && code != 0xFFFF ? length : 0;
}

bool output_xml_holds(const char *text)
{
	for (size_t length; *text != '\0'; text += length)
		if ((length = xml_entity(*text) != NULL ? 1 : xml_character(text)) == 0)
			return false;
	return true;
}

static void add_xml(struct output *output, const char *text, const char *plain)
{
	for (size_t length; *text != '\0'; text += length > 0 ? length : 1) {
		const char *entity = xml_entity(*text);
		if (strchr(plain, *text) != NULL) {
			output_add_bytes(output, text, length = 1);
			continue;
		}
		length = entity != NULL ? 1 : xml_character(text);
		if (entity != NULL)
			output_add(output, entity);
		else if (length > 0)
			output_add_bytes(output, text, length);
		else
			output_print(output, "\\x%02X", (unsigned char)*text);
	}
}

void output_add_xml(struct output *output, const char *text)
{
	add_xml(output, text, "");
}

void output_add_xml_text(struct output *output, const char *text)
{
	add_xml(output, text, "\"\n\t");
}

void output_add_csv(struct output *output, const char *text)
{
	if (strpbrk(text, ",\"\r\n") == NULL) {
		output_add(output, text);
		return;
	}
	output_add(output, "\"");
	for (; *text != '\0'; text++) {
		if (*text == '"')
			output_add(output, "\"");
		output_add_bytes(output, text, 1);
	}
	output_add(output, "\"");
}

void output_finish(struct output *output)
{
	memory_free(output->text);
	*output = (struct output){0};
}
