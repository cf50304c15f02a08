/* Packs a report and its inputs. */
#include "render/bundle.h"

#include "base/hash.h"
#include "base/tar.h"
#include "render/inputs.h"

#include <ctype.h>
#include <string.h>

#define FOLDER "gpubound-bundle/"

static const char *const shipped[] = {"taskset-1.xsd", "platform-1.xsd", "frame-1.xsd", "program-1.xsd", "report-1.xsd", "report.xsl",
	"signature.xml"}; /* of the folder of schemas */

struct bundle {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const struct input_folders *folders;
	const struct report_file *report;
	struct output *tar;
	struct output sums, list; /* SHA256SUMS; the README's list of inputs */
};

static void add(struct bundle *b, const char *name, const char *bytes, size_t length)
{
	char hash[HASH_TEXT];
	hash_bytes(bytes, length, hash);
	output_print(&b->sums, "%s  %s\n", hash, name);
	tar_add(b->tar, arena_format(b->arena, FOLDER "%s", name), bytes, length);
}

/* ---- inputs */

/* Only such characters go into names in the tar file. */
static bool is_plain(const char *name)
{
	size_t length = strlen(name), plain = 0;
	while (isalnum((unsigned char)name[plain]) || (plain > 0 && strchr("-_.", name[plain]) != NULL && name[plain] != '\0'))
		plain++;
	return length > 0 && length <= 64 && plain == length;
}

static const char *model_name(const struct bundle *b, const struct xml_element *input)
{
	const char *id = render_inputs_is_shipped(input) ? element_get(input, "path") : element_get(b->report->root, "platform");
	return arena_format(b->arena, "models/%s.xml", is_plain(id) ? id : "platform");
}

/* Where the task set will look for it: the path of a frame, or of a program and what it binds, goes from the task set's folder, if it stays
 * in there and in a folder of its own. */
static const char *named_by_set(const struct bundle *b, const struct xml_element *input, int index)
{
	const char *path = element_get(input, "path");
	const char *set = element_get(render_first(element_child(b->report->root, "inputs"), "input"), "path"), *slash = strrchr(set, '/');
	size_t folder = slash != NULL ? (size_t)(slash - set) + 1 : 0;
	const char *rest = strncmp(path, set, folder) == 0 ? path + folder : "";
	bool inside = (strncmp(rest, "frames/", 7) == 0 && is_plain(rest + 7)) || (strncmp(rest, "kernels/", 8) == 0 && is_plain(rest + 8));
	return inside ? rest : arena_format(b->arena, "inputs/%d", index);
}

/* The report's inputs are one task set and one model, and frames and programs; more of them than this version writes get numbers. */
static const char *bundled_name(const struct bundle *b, const struct xml_element *input, int index)
{
	const char *role = element_get(input, "role");
	if (strcmp(role, "taskset") != 0 && strcmp(role, "platform") != 0)
		return named_by_set(b, input, index);
	const struct xml_element *first = render_first(element_child(b->report->root, "inputs"), "input");
	while (first != input && strcmp(element_get(first, "role"), role) != 0)
		first = render_next(first);
	if (first != input)
		return arena_format(b->arena, "inputs/%d", index);
	return strcmp(role, "taskset") == 0 ? "taskset.xml" : model_name(b, input);
}

/* Of an input's role, for a reader. */
static const char *words_of(const char *role)
{
	static const char *const words[][2] = {{"taskset", "the task set"}, {"platform", "the platform model"}, {"frame", "a frame"},
		{"program", "the program of a kernel"}, {"sass", "its disassembled code"}, {"cubin", "the binary that the code is from"}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i][0], role) == 0)
			return words[i][1];
	return role;
}

static bool add_input(struct bundle *b, const struct xml_element *input, int index)
{
	const struct render_inputs inputs = {b->arena, b->diagnostics, b->folders, b->report};
	const char *name = bundled_name(b, input, index);
	size_t length;
	const char *bytes = render_inputs_read(&inputs, input, &length);
	if (bytes == NULL)
		return false;
	add(b, name, bytes, length);
	output_print(&b->list, "  %s\n      %s, read as ", name, words_of(element_get(input, "role")));
	output_add_xml(&b->list, element_get(input, "path")); /* of a path: no control characters */
	output_add(&b->list, "\n");
	return true;
}

static bool add_inputs(struct bundle *b)
{
	bool good = true;
	int index = 0;
	const struct xml_element *input = render_first(element_child(b->report->root, "inputs"), "input");
	for (; input != NULL; input = render_next(input))
		good &= add_input(b, input, index++);
	return good;
}

/* ---- what is shipped */

static bool add_schemas(struct bundle *b)
{
	bool good = true;
	for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
		size_t length;
		const char *path = arena_format(b->arena, "%s/%s", b->folders->schemas, shipped[i]);
		const char *bytes = input_read_file(b->arena, b->diagnostics, path, &length);
		if (bytes != NULL)
			add(b, arena_format(b->arena, "schema/%s", shipped[i]), bytes, length);
		good &= bytes != NULL;
	}
	return good;
}

static void add_readme(struct bundle *b)
{
	struct output text = {0};
	const struct xml_element *root = b->report->root, *environment = element_child(root, "environment");
	output_print(&text, "A gpubound report with what it was made from.\n\n");
	const char *left_out = element_get(root, "left-out");
	output_print(&text, "  report.xml\n      %s on %s: %s%s%s; SHA-256 %s\n", element_get(root, "taskset"),
		element_get(root, "platform"), element_get(root, "verdict"), left_out != NULL ? ", without a bound for " : "",
		left_out != NULL ? left_out : "", b->report->hash);
	output_add(&text, b->list.text != NULL ? b->list.text : "");
	output_add(&text, "  schema/\n      what each of these files is valid against, and the stylesheet for reading the report\n\n");
	output_print(&text,
		"The report was written by gpubound %s. In this folder:\n\n"
		"  sha256sum -c SHA256SUMS                          are the files whole?\n"
		"  xmllint --noout --schema schema/report-1.xsd report.xml\n"
		"                                                   is the report what its schema says?\n"
		"  xsltproc -o report.html schema/report.xsl report.xml\n"
		"                                                   for a browser\n"
		"  GPUBOUND_DATA=. gpubound analyze taskset.xml     the bounds again\n"
		"  GPUBOUND_DATA=. gpubound verify --input=taskset.xml report.xml\n"
		"                                                   does every number of the report follow?\n",
		element_get(environment, "version"));
	add(b, "README", text.text, text.length);
	output_finish(&text);
}

bool bundle_build(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const struct report_file *report, struct output *tar)
{
	struct bundle b = {arena, diagnostics, folders, report, tar, {0}, {0}};
	add(&b, "report.xml", report->bytes, report->length);
	bool good = add_inputs(&b);
	good &= add_schemas(&b);
	add_readme(&b);
	tar_add(tar, FOLDER "SHA256SUMS", b.sums.text, b.sums.length);
	tar_end(tar);
	output_finish(&b.sums);
	output_finish(&b.list);
	return good;
}
