/* A libFuzzer target for each vocabulary that has tables (input/form.h): VOCABULARY is set by the build. What the tables accept and the
 * schema refuses is a fault. */
#include "input/input.h"
#include "input/scan.h"
#include "input/xml_stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static xmlSchemaPtr read_schema(void)
{
	struct arena *arena = arena_create();
	struct input_folders folders = input_find_folders(arena);
	if (folders.schemas == NULL)
		abort(); /* nothing would be compared */
	xmlSchemaParserCtxtPtr context = xmlSchemaNewParserCtxt(arena_format(arena, "%s/%s-1.xsd", folders.schemas, VOCABULARY));
	xmlSchemaPtr schema = xmlSchemaParse(context);
	xmlSchemaFreeParserCtxt(context);
	arena_destroy(arena);
	return schema;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static xmlSchemaPtr schema;
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	char *bytes = arena_allocate(arena, size + 1, 1);
	bool malformed;
	if (schema == NULL)
		schema = read_schema();
	diagnostics_init(&diagnostics, arena);
	memcpy(bytes, data, size);
	if (scan_xml(&diagnostics, "-", bytes, size, SCAN_NODES) &&
		xml_stream_form(arena, form_find(VOCABULARY), bytes, size, 0, &malformed) != NULL &&
		xml_stream(arena, schema, VOCABULARY, bytes, size, 0) == NULL)
		abort();
	arena_destroy(arena);
	return 0;
}
