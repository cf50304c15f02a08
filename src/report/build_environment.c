/* The identity of the program that ran. The one file that asks the libraries for their versions. */
#include "report/build_environment.h"

#include "base/bignum.h"
#include "base/hash.h"
#include "config.h"
#include "lp/glpk.h"

#include <libxml/parser.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define FACTS_MOST 13

/* "20914" is libxml2's form of 2.9.14. */
static const char *libxml2_version(struct arena *arena)
{
	long number = strtol(xmlParserVersion, NULL, 10);
	return arena_format(arena, "%ld.%ld.%ld", number / 10000, number / 100 % 100, number % 100);
}

#define LAST_SECOND 253402300799 /* of the year 9999 */

/* -1: the user fixes none. False: what he says is no date. */
static bool read_epoch(long long *seconds)
{
	const char *text = getenv("SOURCE_DATE_EPOCH");
	*seconds = -1;
	if (text == NULL || *text == '\0')
		return true;
	size_t digits = strspn(text, "0123456789");
	if (text[digits] != '\0' || digits > 12 || (*seconds = strtoll(text, NULL, 10)) > LAST_SECOND)
		return false;
	return true;
}

bool build_environment_has_usable_date(void)
{
	long long seconds;
	return read_epoch(&seconds);
}

/* A date only where the user fixes it, so that two runs give the same bytes (reproducible-builds.org). */
static const char *date(struct arena *arena)
{
	char text[32];
	long long epoch;
	struct tm parts;
	if (!read_epoch(&epoch) || epoch < 0)
		return NULL;
	time_t seconds = (time_t)epoch;
	if (gmtime_r(&seconds, &parts) == NULL)
		return NULL;
	return strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 ? arena_copy(arena, text) : NULL;
}

static const char *executable_hash(struct arena *arena)
{
	char hash[HASH_TEXT];
	return hash_file("/proc/self/exe", hash) ? arena_copy(arena, hash) : NULL;
}

const struct build_environment_fact *build_environment_facts(struct arena *arena)
{
	struct build_environment_fact *facts = arena_allocate(arena, FACTS_MOST, sizeof *facts);
	int count = 0;
	facts[count++] = (struct build_environment_fact){"tool", "gpubound"};
	facts[count++] = (struct build_environment_fact){"version", GPUBOUND_VERSION};
	facts[count++] = (struct build_environment_fact){"manual", GPUBOUND_VERSION}; /* the manual pages are released with the tool */
	facts[count++] = (struct build_environment_fact){"compiler", GPUBOUND_COMPILER};
	facts[count++] = (struct build_environment_fact){"libxml2", libxml2_version(arena)};
	facts[count++] = (struct build_environment_fact){"gmp", gmp_version};
	facts[count++] = (struct build_environment_fact){"glpk", lp_solver_version()};
	facts[count++] = (struct build_environment_fact){"zlib", zlibVersion()};
	facts[count++] = (struct build_environment_fact){"nettle", hash_version(arena)};
	facts[count++] = (struct build_environment_fact){"executable-sha256", executable_hash(arena)};
	facts[count++] = (struct build_environment_fact){"source-sha256", build_source_hash};
	facts[count++] = (struct build_environment_fact){"date", date(arena)};
	facts[count] = (struct build_environment_fact){0};
	return facts;
}
