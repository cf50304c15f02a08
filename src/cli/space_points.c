/* Lists and ranges, and mixed radices. */
#include "cli/space_points.h"

#include "base/rational.h"
#include "base/units.h"

#include <string.h>

#define MOST_VALUES 100000
#define MOST_POINTS 10000000

static void add_value(struct arena *arena, struct axis *axis, const char *value)
{
	axis->values = arena_grow(arena, axis->values, &axis->capacity, axis->count + 1, sizeof *axis->values);
	axis->values[axis->count++] = value;
}

static struct rational number_of(struct arena *arena, const char *text, const char **unit)
{
	struct rational value = RATIONAL_NONE;
	size_t length = units_number_length(text);
	*unit = text + length;
	if (units_parse(arena_format(arena, "%.*s", (int)length, text), UNIT_FACTOR, RATIONAL_NONE, &value) != UNITS_OK)
		return RATIONAL_NONE;
	return value;
}

/* FROM:TO:STEP, the end with it where a step reaches it. */
static bool add_range(struct arena *arena, struct axis *axis, const char *text)
{
	const char *parts[3], *units[3];
	struct rational numbers[3];
	for (int i = 0; i < 3; i++) {
		size_t length = strcspn(text, ":");
		parts[i] = arena_format(arena, "%.*s", (int)length, text);
		numbers[i] = number_of(arena, parts[i], &units[i]);
		if (rational_is_none(numbers[i]) || strcmp(units[i], units[0]) != 0 || (text[length] == ':') != (i < 2))
			return false;
		text += length + 1;
	}
	if (numbers[2].num <= 0)
		return false;
	for (struct rational at = numbers[0]; rational_compare(at, numbers[1]) <= 0; at = rational_add(at, numbers[2])) {
		add_value(arena, axis, arena_format(arena, "%s%s", units_literal(arena, at), units[0]));
		if (axis->count > MOST_VALUES || rational_is_none(rational_add(at, numbers[2])))
			return false;
	}
	return axis->count > 0;
}

bool axis_read(struct arena *arena, struct axis *axis, const char *text)
{
	if (strchr(text, ':') != NULL)
		return add_range(arena, axis, text);
	for (; *text != '\0'; text += *text == ',') {
		size_t length = strcspn(text, ",");
		if (length == 0)
			return false;
		add_value(arena, axis, arena_format(arena, "%.*s", (int)length, text));
		text += length;
	}
	return axis->count > 0 && axis->count <= MOST_VALUES;
}

static bool read_change(struct arena *arena, struct axis *axis, const char *word)
{
	const char *equals = strchr(word, '=');
	if (equals == NULL || equals == word)
		return false;
	axis->target = arena_format(arena, "%.*s", (int)(equals - word), word);
	return axis_read(arena, axis, equals + 1);
}

bool points_read(const struct arguments *arguments, struct points *points)
{
	*points = (struct points){.count = 1};
	points->axes = arena_allocate(arguments->arena, (size_t)arguments->given_count + 1, sizeof *points->axes);
	for (int i = 0; i < arguments->given_count; i++) {
		const char *name = arguments->given[i].option->name, *value = arguments->given[i].value;
		if (strcmp(name, "set") != 0 && strcmp(name, "scale") != 0)
			continue;
		struct axis *axis = &points->axes[points->axis_count++];
		axis->option = name;
		if (!read_change(arguments->arena, axis, value)) {
			usage_error(arguments->command,
				"option '--%s' wants TARGET=VALUE,VALUE,... or TARGET=FROM:TO:STEP with one unit, not '%s'", name, value);
			return false;
		}
		points->count = checked_mul(points->count, axis->count);
	}
	if (!checked_is_none(points->count) && points->count <= MOST_POINTS)
		return true;
	usage_error(arguments->command, "these are more than %d points", MOST_POINTS);
	return false;
}

const char *points_value(const struct points *points, int64_t point, int axis)
{
	for (int i = points->axis_count - 1; i > axis; i--)
		point /= points->axes[i].count;
	return points->axes[axis].values[point % points->axes[axis].count];
}

const char *const *points_changes(struct arena *arena, const struct points *points, int64_t point)
{
	const char **changes = arena_allocate(arena, (size_t)points->axis_count + 1, sizeof *changes);
	for (int i = 0; i < points->axis_count; i++)
		changes[i] =
			arena_format(arena, "--%s=%s=%s", points->axes[i].option, points->axes[i].target, points_value(points, point, i));
	return changes;
}
