/* Elements and attributes as text, indented. */
#include "write/xml_write.h"

#include "base/assert.h"

#include <inttypes.h>

static void close_tag(struct xml *xml, const char *text)
{
	if (xml->in_tag)
		output_add(xml->output, text);
	xml->in_tag = false;
}

static void new_line(struct xml *xml)
{
	output_print(xml->output, "\n%*s", 2 * xml->depth, "");
}

void xml_start(struct xml *xml, struct output *output)
{
	*xml = (struct xml){.output = output};
	output_add(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
}

void xml_begin(struct xml *xml, const char *name)
{
	assert(xml->depth < XML_DEPTH);
	close_tag(xml, ">");
	new_line(xml);
	output_print(xml->output, "<%s", name);
	xml->open[xml->depth++] = name;
	xml->in_tag = true;
	xml->has_text = false;
}

void xml_end(struct xml *xml)
{
	assert(xml->depth > 0);
	const char *name = xml->open[--xml->depth];
	if (xml->in_tag) {
		close_tag(xml, "/>");
	} else {
		if (!xml->has_text)
			new_line(xml);
		output_print(xml->output, "</%s>", name);
	}
	xml->has_text = false;
}

void xml_attribute(struct xml *xml, const char *name, const char *value)
{
	assert(xml->in_tag);
	if (value == NULL)
		return;
	output_print(xml->output, " %s=\"", name);
	output_add_xml(xml->output, value);
	output_add(xml->output, "\"");
}

void xml_integer(struct xml *xml, const char *name, int64_t value)
{
	assert(xml->in_tag);
	if (!checked_is_none(value))
		output_print(xml->output, " %s=\"%" PRId64 "\"", name, value);
}

void xml_boolean(struct xml *xml, const char *name, bool value)
{
	xml_attribute(xml, name, value ? "true" : "false");
}

void xml_rational(struct xml *xml, const char *name, struct rational value)
{
	if (value.den == 1)
		xml_integer(xml, name, value.num);
	else if (!rational_is_none(value))
		output_print(xml->output, " %s=\"%" PRId64 "/%" PRId64 "\"", name, value.num, value.den);
}

void xml_text(struct xml *xml, const char *text)
{
	close_tag(xml, ">");
	output_add_xml_text(xml->output, text);
	xml->has_text = true;
}

void xml_element(struct xml *xml, const char *name, const char *text)
{
	if (text == NULL)
		return;
	xml_begin(xml, name);
	xml_text(xml, text);
	xml_end(xml);
}

/* A comment may not hold two dashes, nor end with one; what is not ASCII is made sure to be characters of XML. */
void xml_comment(struct xml *xml, const char *text)
{
	close_tag(xml, ">");
	new_line(xml);
	output_add(xml->output, "<!-- ");
	while (*text != '\0') {
		size_t length = 0;
		while ((unsigned char)text[length] >= 0x80)
			length++;
		struct output run = {0};
		output_add_bytes(&run, text, length > 0 ? length : 1);
		if (length > 0 || ((unsigned char)*text < ' ' && *text != '\n' && *text != '\t'))
			output_add_xml(xml->output, run.text);
		else
			output_add(xml->output, run.text);
		output_finish(&run);
		if (text[0] == '-' && (text[1] == '-' || text[1] == '\0'))
			output_add(xml->output, " ");
		text += length > 0 ? length : 1;
	}
	output_add(xml->output, " -->");
	xml->has_text = false;
}
