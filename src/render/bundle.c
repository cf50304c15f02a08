/* Packs a report and its inputs. */
#include "render/bundle.h"

#include "base/hash.h"
#include "base/tar.h"
#include "config.h"
#include "input/shipped.h"
#include "render/report_inputs.h"

#include <ctype.h>
#include <string.h>

#define FOLDER "gpubound-bundle/"
#define INPUTS "inputs/"

static const char *const shipped[] = {"taskset-1.xsd", "platform-1.xsd", "frame-1.xsd", "program-1.xsd", "report-1.xsd", "report.xsl",
	"signature.xml"}; /* of the folder of schemas */

struct bundle {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const struct input_folders *folders;
	const struct report_file *report;
	struct output *tar;
	struct output sums, list; /* SHA256SUMS; the README's list of inputs */
	struct output options;    /* of the README's gpubound verify: the inputs that do not lie where the report says */
	bool renamed;             /* there are such */
	const char **names;       /* of the inputs so far */
	int name_count;
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

/* A path that goes down from the current folder by such names; NULL: it is another one, or too long for the tar file. */
static const char *going_down(const struct bundle *b, const char *path)
{
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	if (*path == '/' || strlen(path) > TAR_NAME - strlen(FOLDER INPUTS))
		return NULL;
	for (const char *part = path; part != NULL; part = strchr(part, '/')) {
		part += *part == '/';
		if (!is_plain(arena_format(b->arena, "%.*s", (int)strcspn(part, "/"), part)))
			return NULL;
	}
	return path;
}

/* The part of a path behind the task set's folder, if it goes down from there. */
static const char *below_set(const struct bundle *b, const char *path)
{
	const char *set = element_get(render_first(element_child(b->report->root, "inputs"), "input"), "path"), *slash = strrchr(set, '/');
	size_t folder = slash != NULL ? (size_t)(slash - set) + 1 : 0;
	return strncmp(path, set, folder) == 0 ? going_down(b, path + folder) : NULL;
}

static bool is_taken(const struct bundle *b, const char *name)
{
	for (int i = 0; i < b->name_count; i++)
		if (strcmp(b->names[i], name) == 0)
			return true;
	return false;
}

/* Where the report says, from the folder of the inputs; else beside the task set, as the task set says; else a number. */
static const char *bundled_name(const struct bundle *b, const struct xml_element *input)
{
	const char *path = element_get(input, "path"), *role = element_get(input, "role"), *down = going_down(b, path),
		   *below = below_set(b, path);
	bool set = strcmp(role, "taskset") == 0, moved = b->name_count > 0 && strcmp(b->names[0], INPUTS "taskset.xml") == 0;
	const char *name = NULL;
	if (render_inputs_is_shipped(input))
		name = arena_format(b->arena, "models/%s.xml", is_plain(path) ? path : "platform");
	else if (down != NULL && !moved)
		name = arena_format(b->arena, INPUTS "%s", down);
	else if (set)
		name = INPUTS "taskset.xml";
	else if (moved && below != NULL)
		name = arena_format(b->arena, INPUTS "%s", below);
	return name != NULL && !is_taken(b, name) ? name : arena_format(b->arena, INPUTS "other-%d", b->name_count);
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

/* Quoted where a shell would make something else of it. */
static void add_word(struct output *text, const char *word)
{
	size_t plain = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=:,+@%");
	bool quoted = word[plain] != '\0' || *word == '\0';
	output_add(text, quoted ? "'" : "");
	for (; *word != '\0'; word++)
		output_print(text, *word == '\'' ? "'\\%c'" : "%c", *word);
	output_add(text, quoted ? "'" : "");
}

/* Whose word a platform model is. */
static const char *origin_of(const struct xml_element *input)
{
	const char *path = element_get(input, "path");
	const struct shipped_model *model = render_inputs_is_shipped(input) ? shipped_find(path) : NULL;
	if (strcmp(element_get(input, "role"), "platform") != 0)
		return "";
	if (model == NULL)
		return "\n      (NOT one that gpubound " GPUBOUND_VERSION " ships: its numbers are the sender's word)";
	return strcmp(model->hash, element_get(input, "sha256")) == 0 ? "\n      (as gpubound " GPUBOUND_VERSION " ships it)"
								      : "\n      (NOT as gpubound " GPUBOUND_VERSION
									" ships it: what differs is the sender's word)";
}

static bool add_input(struct bundle *b, const struct xml_element *input, const char *name)
{
	const struct render_inputs inputs = {b->arena, b->diagnostics, b->folders, b->report};
	const char *path = element_get(input, "path"), *down = going_down(b, path);
	bool there = render_inputs_is_shipped(input) || (down != NULL && strcmp(name + strlen(INPUTS), down) == 0);
	size_t length;
	const char *bytes = render_inputs_read(&inputs, input, &length);
	b->names[b->name_count++] = name;
	if (bytes == NULL)
		return false;
	add(b, name, bytes, length);
	output_print(&b->list, "  %s\n      %s, read as ", name, words_of(element_get(input, "role")));
	output_add_xml(&b->list, path); /* of a path: no control characters */
	output_print(&b->list, "%s\n", origin_of(input));
	if (!there)
		output_print(&b->options, " --input=%s", name + strlen(INPUTS));
	b->renamed |= !there;
	return true;
}

static bool add_inputs(struct bundle *b)
{
	const struct xml_element *inputs = element_child(b->report->root, "inputs"), *input = render_first(inputs, "input");
	bool good = true;
	b->names = arena_allocate(b->arena, (size_t)element_count(inputs, "input"), sizeof *b->names);
	for (; input != NULL; input = render_next(input))
		good &= add_input(b, input, bundled_name(b, input));
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

/* The recorded command line; white space in a path is as the input's. */
static void add_command(const struct bundle *b, struct output *text)
{
	const struct xml_element *root = b->report->root, *argument = element_child(root, "invocation")->first;
	const char *set = element_get(render_first(element_child(root, "inputs"), "input"), "path");
	const char *date = element_get(element_child(root, "environment"), "date");
	if (date != NULL)
		output_print(text, "SOURCE_DATE_EPOCH=$(date -d %s +%%s) ", date);
	output_add(text, "gpubound analyze -q -o ../again.xml");
	for (argument = argument == NULL ? NULL : argument->next; argument != NULL; argument = argument->next) {
		output_add(text, " ");
		add_word(text, argument->next == NULL ? set : argument->text);
	}
	output_add(text, "\n");
}

static void add_commands(struct bundle *b, struct output *text)
{
	output_add(text, "Whoever receives it checks it\n"
			 "with a gpubound of his own, as everything in this folder is the sender's word:\n\n"
			 "  sha256sum -c SHA256SUMS\n"
			 "      are the files as they were packed?\n"
			 "  cd inputs\n");
	output_print(text,
		"  gpubound verify%s ../report.xml\n"
		"      does every number and every word follow, with the platform models and schemas of your gpubound?\n"
		"  gpubound report -o ../report.html ../report.xml\n"
		"      for a browser\n",
		b->options.length > 0 ? b->options.text : "");
	output_add(text, "  ");
	add_command(b, text);
	output_add(text,
		b->renamed
			? "      the recorded command line, for a folder in which the inputs are where the report says: not here\n"
			: "      the recorded command line: the same build writes the same bytes; another one differs in <environment>\n");
	output_add(text, "\nmodels/ and schema/ are what the sender had. To use them in place of your own is to believe him: gpubound "
			 "verify --input=FILE\n"
			 "takes one model, and says so where it is not the one that it ships; GPUBOUND_DATA=.. takes all of them.\n");
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
	output_print(&text, "The report says that gpubound %s wrote it. ", element_get(environment, "version"));
	add_commands(b, &text);
	add(b, "README", text.text, text.length);
	output_finish(&text);
}

bool bundle_build(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const struct report_file *report, struct output *tar)
{
	struct bundle b = {.arena = arena, .diagnostics = diagnostics, .folders = folders, .report = report, .tar = tar};
	add(&b, "report.xml", report->bytes, report->length);
	bool good = add_inputs(&b);
	good &= add_schemas(&b);
	add_readme(&b);
	tar_add(tar, FOLDER "SHA256SUMS", b.sums.text, b.sums.length);
	tar_end(tar);
	output_finish(&b.sums);
	output_finish(&b.list);
	output_finish(&b.options);
	return good;
}
