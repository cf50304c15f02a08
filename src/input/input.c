/* The stages of reading, in their order: bytes, elements, what is refused, the platform, what is declared of it, the task set,
 * the rules that a schema cannot say. */
#include "input/input.h"

#include "base/hash.h"
#include "base/suggest.h"
#include "config.h"
#include "input/change.h"
#include "input/read_program.h"
#include "input/reader.h"
#include "input/reread.h"
#include "input/shipped.h"
#include "input/validate.h"
#include "model/draft.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct document {
	struct xml_element *root;
	const char *text;
	int64_t bytes;
	const struct shipped_model *shipped; /* whose bytes these are; NULL: none's */
};

/* valid: it is a shipped model, whatever it is read as. */
static struct xml_element *parse_root(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *vocabulary, const char *path, const char *bytes, size_t length, bool valid)
{
	struct xml_element *root = valid ? xml_read_valid(arena, diagnostics, vocabulary, path, bytes, length) : NULL;
	if (root == NULL)
		root = xml_read(arena, diagnostics, vocabulary, folders->schemas, path, bytes, length);
	struct reader reader = {arena, diagnostics, path, RATIONAL_NONE, folders};
	if (root != NULL)
		refuse_unfilled(&reader, root);
	return root;
}

static struct document parse_document(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *vocabulary, const char *path, const char *bytes, size_t length)
{
	const struct shipped_model *shipped = shipped_of_bytes(bytes, length);
	bool valid = shipped != NULL && shipped->valid;
	struct xml_element *root = parse_root(arena, diagnostics, folders, vocabulary, path, bytes, length, valid);
	return (struct document){root, bytes, (int64_t)length, shipped};
}

static const char *hash_of(struct arena *arena, const struct document *document)
{
	char hash[HASH_TEXT];
	if (document->shipped != NULL)
		return document->shipped->hash;
	hash_bytes(document->text, (size_t)document->bytes, hash);
	return arena_copy(arena, hash);
}

/* ---- files that were read before */

#define MOST_KEPT 4

struct kept_document {
	const char *vocabulary, *path, *bytes;
	size_t length;
	struct document document;
	struct markup *markup;           /* NULL: none was wanted yet */
	const struct platform *platform; /* that it states; NULL: none was wanted yet, or there was something to say of the first */
	bool stated;                     /* one was wanted */
};

struct input_kept {
	struct arena *arena;
	struct kept_document *items[MOST_KEPT];
	int count;
	bool sets; /* are task sets kept, too? */
};

struct input_kept *input_kept_create(bool sets)
{
	struct arena *arena = arena_create();
	struct input_kept *kept = arena_allocate(arena, 1, sizeof *kept);
	*kept = (struct input_kept){.arena = arena, .sets = sets};
	return kept;
}

void input_kept_destroy(struct input_kept *kept)
{
	arena_destroy(kept == NULL ? NULL : kept->arena);
}

/* NULL: it is not kept. */
static struct kept_document *find_kept(const struct input_kept *kept, const char *vocabulary, const char *path)
{
	for (int i = 0; kept != NULL && i < kept->count; i++)
		if (strcmp(kept->items[i]->vocabulary, vocabulary) == 0 && strcmp(kept->items[i]->path, path) == 0)
			return kept->items[i];
	return NULL;
}

/* As it was read first, where that went well; else it is read, into memory of its own where it is going to be kept. */
static struct kept_document *read_or_take(struct arena *arena, struct input_kept *kept, struct diagnostics *diagnostics,
	const struct input_folders *folders, const char *vocabulary, const char *path)
{
	struct kept_document *read = find_kept(kept, vocabulary, path);
	if (read != NULL)
		return read;
	bool keeps = kept != NULL && kept->count < MOST_KEPT && (kept->sets || strcmp(vocabulary, "platform") == 0);
	struct arena *into = keeps ? kept->arena : arena;
	struct kept_document *got = arena_allocate(into, 1, sizeof *got);
	int before = diagnostics->errors;
	*got = (struct kept_document){.vocabulary = vocabulary, .path = arena_copy(into, path)};
	got->bytes = input_read_named(into, diagnostics, folders, got->path, INPUT_LIMIT, &got->length);
	if (got->bytes != NULL)
		got->document = parse_document(into, diagnostics, folders, vocabulary, got->path, got->bytes, got->length);
	if (keeps && got->document.root != NULL && diagnostics->errors == before)
		kept->items[kept->count++] = got;
	return got;
}

/* The memory that it is in. */
static struct arena *arena_of(struct arena *arena, const struct input_kept *kept, const struct kept_document *stated)
{
	for (int i = 0; kept != NULL && i < kept->count; i++)
		if (kept->items[i] == stated)
			return kept->arena;
	return arena;
}

/* The places of its elements, in the memory that it is in. */
static const struct markup *markup_of(struct arena *arena, const struct input_kept *kept, struct kept_document *stated)
{
	if (stated->markup == NULL) {
		struct arena *into = arena_of(arena, kept, stated);
		stated->markup = arena_allocate(into, 1, sizeof *stated->markup);
		*stated->markup = markup_read(into, stated->bytes, stated->length);
	}
	return stated->markup;
}

/* Of what is stated with the changes that are wished. */
static struct xml_element *read_changed(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const struct input_wishes *wishes, struct kept_document *stated)
{
	const struct markup *before = markup_of(arena, wishes->kept, stated);
	struct changed_text changed =
		change_text(arena, diagnostics, path, wishes, (struct changed_text){stated->bytes, stated->length, before});
	if (changed.bytes == NULL)
		return NULL;
	struct markup now = markup_read(arena, changed.bytes, changed.length);
	struct xml_element *root = reread(arena, "taskset", folders->schemas, stated->document.root, before, &now);
	if (root == NULL)
		return parse_root(arena, diagnostics, folders, "taskset", path, changed.bytes, changed.length, false);
	refuse_unfilled(&(struct reader){arena, diagnostics, path, RATIONAL_NONE, folders}, root);
	return root;
}

/* A task set's, as its file or `wishes` has it, with the changes that are wished: the text is what was stated. */
static struct document read_wished(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const struct input_wishes *wishes)
{
	struct kept_document text = {.bytes = wishes->text == NULL ? NULL : arena_copy(arena, wishes->text)}, *stated = &text;
	if (wishes->text == NULL) {
		stated = read_or_take(arena, wishes->kept, diagnostics, folders, "taskset", path);
	} else {
		text.length = strlen(text.bytes);
		text.document = parse_document(arena, diagnostics, folders, "taskset", path, text.bytes, text.length);
	}
	struct document document = stated->document;
	if (document.root != NULL && wishes->change_count > 0)
		document.root = read_changed(arena, diagnostics, folders, path, wishes, stated);
	return document;
}

/* ---- platforms */

static bool is_path(const char *name)
{
	size_t length = strlen(name);
	return strchr(name, '/') != NULL || strcmp(name, "-") == 0 || (length > 4 && strcmp(name + length - 4, ".xml") == 0);
}

const char *input_model_path(struct arena *arena, const struct input_folders *folders, const char *name)
{
	if (is_path(name))
		return name;
	return folders->models != NULL ? arena_format(arena, "%s/%s.xml", folders->models, name) : NULL;
}

struct naming { /* where a model is named; NULL: on the command line */
	const char *file;
	long line;
};

/* The file of a shipped model. */
static const char *find_model(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const struct input_kept *kept, const struct naming *naming, const char *name)
{
	const char *path = input_model_path(arena, folders, name);
	if (path != NULL && (find_kept(kept, "platform", path) != NULL || access(input_file_of(folders, path), F_OK) == 0))
		return path;
	const char *const *models = input_list_models(arena, folders, NULL);
	const char *near = models != NULL ? suggest_all(arena, name, models, '"') : "";
	diagnose(diagnostics, DIAGNOSTIC_PLATFORM_UNKNOWN, naming->file, naming->line,
		"expected a shipped platform model, or a path with a slash or ending in .xml; got \"%s\"%s",
		element_shorten(arena, name, SHORT_VALUE), near[0] != '\0' ? near : "; gpubound models lists them");
	return NULL;
}

/* A model goes by its name, and who reads a report knows the shipped one. */
static void hold_shipped(struct diagnostics *diagnostics, const struct platform *platform, const char *name)
{
	const struct shipped_model *model = shipped_find(is_path(name) ? platform->id : name);
	if (model == NULL || diagnostics_count(diagnostics, DIAGNOSTIC_PLATFORM_NOT_AS_SHIPPED) > 0 ||
		(strcmp(model->hash, platform->hash) == 0 && strcmp(model->id, platform->id) == 0))
		return;
	diagnose(diagnostics, DIAGNOSTIC_PLATFORM_NOT_AS_SHIPPED, platform->path, 0,
		"expected under the name of %s the platform model that gpubound %s ships, with the SHA-256 %s; got a file with %s",
		model->name, GPUBOUND_VERSION, model->hash, platform->hash);
}

/* NULL after diagnostics. */
static const struct platform *state_platform(
	struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const struct kept_document *file)
{
	int before = diagnostics->errors;
	struct reader reader = {arena, diagnostics, file->path, RATIONAL_NONE, folders};
	struct platform *platform = read_platform(&reader, file->document.root);
	platform->path = file->path;
	platform->hash = hash_of(arena, &file->document);
	platform->bytes = file->document.bytes;
	return diagnostics->errors == before && validate_platform(platform, diagnostics) ? platform : NULL;
}

/* As the file states it: the first one is kept for as long as the file is, if there was nothing to say of it. NULL after diagnostics. */
static const struct platform *stated_platform(struct arena *arena, struct input_kept *kept, struct diagnostics *diagnostics,
	const struct input_folders *folders, struct kept_document *file)
{
	if (file->platform != NULL)
		return file->platform;
	int before = diagnostics->count + diagnostics->dropped;
	const struct platform *platform = state_platform(file->stated ? arena : arena_of(arena, kept, file), diagnostics, folders, file);
	if (!file->stated && diagnostics->count + diagnostics->dropped == before)
		file->platform = platform;
	file->stated = true;
	return platform;
}

/* Its own reader may declare more of it. */
static struct platform *open_platform(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	struct input_kept *kept, const struct naming *naming, const char *name)
{
	const char *path = name;
	if (!is_path(name))
		path = find_model(arena, diagnostics, folders, kept, naming, name);
	if (path == NULL)
		return NULL;
	struct kept_document *file = read_or_take(arena, kept, diagnostics, folders, "platform", path);
	if (file->document.root == NULL)
		return NULL;
	const struct platform *platform = stated_platform(arena, kept, diagnostics, folders, file);
	if (platform == NULL)
		return NULL;
	hold_shipped(diagnostics, platform, name);
	return memcpy(arena_allocate(arena, 1, sizeof *platform), platform, sizeof *platform);
}

const struct platform *input_read_platform(
	struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const char *name)
{
	return open_platform(arena, diagnostics, folders, NULL, &(struct naming){NULL, 0}, name);
}

const char *input_beside(struct arena *arena, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	if (strcmp(name, "-") == 0)
		return "./-"; /* standard input is for the command line to name */
	if (!is_path(name) || name[0] == '/' || slash == NULL)
		return name;
	return arena_format(arena, "%.*s/%s", (int)(slash - path), path, name);
}

const char *input_moved(struct arena *arena, const char *path, const char *set, const char *now)
{
	const char *slash = strrchr(set, '/'), *other = strrchr(now, '/');
	size_t folder = slash != NULL ? (size_t)(slash - set) + 1 : 0, there = other != NULL ? (size_t)(other - now) + 1 : 0;
	if ((*path == '/' && folder == 0) || strncmp(path, set, folder) != 0)
		return NULL;
	return arena_format(arena, "%.*s%s", (int)there, now, path + folder);
}

/* ---- task sets */

/* The report tells frames by their names. */
static void hold_frame_id(struct diagnostics *diagnostics, const struct taskset *set, int index)
{
	const struct frame *frame = set->operations[index].frame;
	for (int i = 0; i < index && frame != NULL; i++) {
		const struct frame *other = set->operations[i].frame;
		if (other != NULL && strcmp(other->id, frame->id) == 0 && strcmp(other->path, frame->path) != 0) {
			diagnose(diagnostics, DIAGNOSTIC_DUPLICATE_ID, frame->path, frame->line,
				"frame \"%s\": another frame has this name", frame->id);
			return;
		}
	}
}

/* What a task set names lies where its file is. */
static const char *from_folder(struct arena *arena, const struct taskset *set, const char *name)
{
	const char *slash = strrchr(set->path, '/');
	if (strcmp(name, "-") == 0 && slash == NULL)
		return "./-"; /* standard input is for the command line to name */
	if (name[0] == '/' || slash == NULL)
		return name;
	return arena_format(arena, "%.*s/%s", (int)(slash - set->path), set->path, name);
}

/* The frames that operations name, on the task set's platform. */
static void read_frames(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, struct taskset *set,
	const char *override)
{
	const char *model = override != NULL ? override : input_beside(arena, set->path, set->platform_name);
	const struct platform *platform;
	for (int i = 0; i < set->operation_count; i++) {
		struct operation *operation = &DRAFT(set->operations)[i];
		if (operation->frame_name != NULL && operation->wcet == NONE) {
			operation->frame = input_read_frame(
				arena, diagnostics, folders, from_folder(arena, set, operation->frame_name), model, &platform);
			hold_frame_id(diagnostics, set, i);
		}
	}
}

/* An operation before this one with the same program, or NULL. */
static const struct program *find_program(const struct taskset *set, int index)
{
	for (int i = 0; i < index; i++)
		if (set->operations[i].program != NULL && strcmp(set->operations[i].program_name, set->operations[index].program_name) == 0)
			return set->operations[i].program;
	return NULL;
}

/* The programs that kernels name, each once. */
static void read_programs(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, struct taskset *set,
	const char *override)
{
	const char *model = override != NULL ? override : input_beside(arena, set->path, set->platform_name);
	const struct platform *platform;
	for (int i = 0; i < set->operation_count; i++) {
		struct operation *operation = &DRAFT(set->operations)[i];
		if (operation->program_name == NULL)
			continue;
		operation->program = find_program(set, i);
		if (operation->program == NULL)
			operation->program = input_read_program(
				arena, diagnostics, folders, from_folder(arena, set, operation->program_name), model, &platform);
		if (operation->program != NULL && operation->program->shaped &&
			memcmp(operation->program->extents, operation->kernel.block, sizeof operation->kernel.block) != 0)
			diagnose(diagnostics, DIAGNOSTIC_PROGRAM_CONTRADICTS, set->path, operation->line,
				"kernel '%s': expected blocks of %" PRId64 "x%" PRId64 "x%" PRId64 " threads, as its program has",
				operation->id, operation->program->extents[0], operation->program->extents[1],
				operation->program->extents[2]);
		else if (operation->program != NULL && operation->program->threads != operation->kernel.threads)
			diagnose(diagnostics, DIAGNOSTIC_PROGRAM_CONTRADICTS, set->path, operation->line,
				"kernel '%s': expected blocks of %" PRId64 " threads, as its program has; got %" PRId64, operation->id,
				operation->program->threads, operation->kernel.threads);
	}
}

/* A-HOST, and what takes its place, say that copies use pinned memory; a task set that says otherwise of one breaks it, or relies on it as
 * a condition. */
static void hold_pinned(struct arena *arena, const struct taskset *set, struct platform *platform)
{
	struct assumption_state *state = &platform->assumptions[set->submits ? ASSUMPTION_SUBMIT : ASSUMPTION_HOST];
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		bool copies = operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
		if (!copies || !operation->copy.pageable)
			continue;
		state->status = state->declared_by != NULL ? STATUS_CONDITIONAL : STATUS_BROKEN;
		state->why = arena_format(arena, "Copy '%s' uses pageable memory", operation->id);
		state->source = "the task set";
		return;
	}
}

/* Is nothing wrong but that facts about the platform are missing, which somebody can state? */
static bool only_lacks(const struct diagnostics *diagnostics)
{
	return diagnostics->errors == diagnostics_lacks(diagnostics, LEVEL_ERROR);
}

/* What the user asks to rely on although nobody vouches for it: results that do are conditional. */
static void assume(struct platform *platform, const struct input_wishes *wishes)
{
	for (int i = 0; i < wishes->assume_count; i++) {
		struct assumption_state *state = &platform->assumptions[assumption_find(wishes->assume[i])];
		if (state->status != STATUS_UNSTATED && state->status != STATUS_BROKEN)
			continue;
		state->status = STATUS_CONDITIONAL;
		state->declared_by = "--assume";
	}
}

/* The platform of a task set, with what the task set declares of it and what is wished; NULL after diagnostics. */
static struct platform *open_declared(
	struct reader *reader, const struct xml_element *root, const struct taskset *set, const struct input_wishes *wishes)
{
	const char *name = wishes->platform != NULL ? wishes->platform : input_beside(reader->arena, set->path, set->platform_name);
	const struct naming naming = wishes->platform != NULL ? (struct naming){NULL, 0} : (struct naming){set->path, root->line};
	struct platform *platform = open_platform(reader->arena, reader->diagnostics, reader->folders, wishes->kept, &naming, name);
	if (platform != NULL)
		declare_all(reader, root, platform);
	return platform;
}

/* before: errors before the document was read. lacking: facts may be missing. */
static const struct taskset *read_set(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, struct document document, const struct input_wishes *wishes, int before, bool lacking,
	const struct platform **platform)
{
	if (document.root == NULL)
		return NULL;
	struct reader reader = {arena, diagnostics, path, RATIONAL_NONE, folders};
	struct taskset *set = arena_allocate(arena, 1, sizeof *set);
	set->path = arena_copy(arena, path);
	set->text = document.text;
	set->bytes = document.bytes;
	set->platform_name = element_get(document.root, "platform");
	refuse_unmodelled(&reader, document.root);
	struct platform *declared = open_declared(&reader, document.root, set, wishes);
	*platform = declared;
	if (declared == NULL)
		return NULL;
	read_taskset(&reader, document.root, set);
	priorities_translate(set, declared);
	read_frames(arena, diagnostics, folders, set, wishes->platform);
	read_programs(arena, diagnostics, folders, set, wishes->platform);
	hold_pinned(arena, set, declared);
	if (diagnostics->errors != before || (!validate_taskset(declared, set, diagnostics) && !(lacking && only_lacks(diagnostics))))
		return NULL;
	assume(declared, wishes);
	return wishes->assume_count == 0 || validate_assumed(declared, set, diagnostics) ? set : NULL;
}

static const struct input_wishes no_wishes;

const struct taskset *input_read_taskset(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const struct input_wishes *wishes, const struct platform **platform)
{
	int before = diagnostics->errors;
	wishes = wishes != NULL ? wishes : &no_wishes;
	struct document document = read_wished(arena, diagnostics, folders, path, wishes);
	return read_set(arena, diagnostics, folders, path, document, wishes, before, false, platform);
}

const struct taskset *input_read_lacking(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const struct platform **platform)
{
	int before = diagnostics->errors;
	struct document document = read_or_take(arena, NULL, diagnostics, folders, "taskset", path)->document;
	return read_set(arena, diagnostics, folders, path, document, &no_wishes, before, true, platform);
}

const struct taskset *input_parse_lacking(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const char *text, const struct platform **platform)
{
	int before = diagnostics->errors;
	const char *copy = arena_copy(arena, text);
	struct document document = parse_document(arena, diagnostics, folders, "taskset", path, copy, strlen(copy));
	return read_set(arena, diagnostics, folders, path, document, &no_wishes, before, true, platform);
}

bool input_is_taskset(struct arena *arena, const char *path)
{
	struct diagnostics unheard;
	size_t length;
	diagnostics_init(&unheard, arena);
	const char *text = is_path(path) && strcmp(path, "-") != 0 ? input_read_file(arena, &unheard, path, &length) : NULL;
	return text != NULL && strstr(text, "urn:gpubound:taskset:") != NULL && strstr(text, "urn:gpubound:platform:") == NULL;
}

/* ---- programs, frames */

/* What both begin with: their document, and the platform that it names. False after diagnostics. */
static bool open_document(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const char *vocabulary,
	const char *path, const char *override, struct document *document, struct platform **platform)
{
	*document = read_or_take(arena, NULL, diagnostics, folders, vocabulary, path)->document;
	if (document->root == NULL)
		return false;
	const char *named = input_beside(arena, path, element_get(document->root, "platform"));
	const struct naming naming = override != NULL ? (struct naming){NULL, 0} : (struct naming){path, document->root->line};
	*platform = open_platform(arena, diagnostics, folders, NULL, &naming, override != NULL ? override : named);
	return *platform != NULL;
}

const struct program *input_read_program(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const char *override, const struct platform **platform)
{
	int before = diagnostics->errors;
	struct document document;
	struct platform *named;
	if (!open_document(arena, diagnostics, folders, "program", path, override, &document, &named))
		return NULL;
	*platform = named;
	struct reader reader = {arena, diagnostics, path, RATIONAL_NONE, folders};
	struct program *program = arena_allocate(arena, 1, sizeof *program);
	program->path = arena_copy(arena, path);
	program->hash = hash_of(arena, &document);
	program->bytes = document.bytes;
	program->platform_name = element_get(document.root, "platform");
	read_program(&reader, document.root, *platform, program);
	if (diagnostics->errors != before)
		return NULL;
	prune_program(arena, program);
	return program;
}

const struct frame *input_read_frame(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const char *override, const struct platform **platform)
{
	int before = diagnostics->errors;
	struct document document;
	struct platform *named;
	if (!open_document(arena, diagnostics, folders, "frame", path, override, &document, &named))
		return NULL;
	*platform = named;
	struct reader reader = {arena, diagnostics, path, RATIONAL_NONE, folders};
	struct frame *frame = arena_allocate(arena, 1, sizeof *frame);
	frame->path = arena_copy(arena, path);
	frame->hash = hash_of(arena, &document);
	frame->bytes = document.bytes;
	frame->platform_name = element_get(document.root, "platform");
	declare_all(&reader, document.root, named);
	read_frame(&reader, document.root, named, frame);
	if (diagnostics->errors != before || !validate_frame(named, frame, diagnostics))
		return NULL;
	return frame;
}
