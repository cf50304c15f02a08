/* The identity of the program that ran. The one file that asks the libraries for their versions. */
#include "report/environment.h"

#include "base/hash.h"
#include "config.h"
#include "lp/glpk.h"

#include <gmp.h>
#include <libxml/parser.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

/* "20914" is libxml2's form of 2.9.14. */
static const char *libxml2_version(void)
{
	static char text[32];
	long number = strtol(xmlParserVersion, NULL, 10);
	snprintf(text, sizeof text, "%ld.%ld.%ld", number / 10000, number / 100 % 100, number % 100);
	return text;
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

bool environment_has_usable_date(void)
{
	long long seconds;
	return read_epoch(&seconds);
}

/* A date only where the user fixes it, so that two runs give the same bytes (reproducible-builds.org). */
static const char *date(void)
{
	static char text[32];
	long long epoch;
	struct tm parts;
	if (!read_epoch(&epoch) || epoch < 0)
		return NULL;
	time_t seconds = (time_t)epoch;
	if (gmtime_r(&seconds, &parts) == NULL)
		return NULL;
	return strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 ? text : NULL;
}

const struct environment_fact *environment_facts(void)
{
	static struct environment_fact facts[12];
	static char executable[HASH_TEXT];
	int count = 0;
	facts[count++] = (struct environment_fact){"tool", "gpubound"};
	facts[count++] = (struct environment_fact){"version", GPUBOUND_VERSION};
	facts[count++] = (struct environment_fact){"manual", GPUBOUND_VERSION}; /* the manual pages are released with the tool */
	facts[count++] = (struct environment_fact){"compiler", GPUBOUND_COMPILER};
	facts[count++] = (struct environment_fact){"libxml2", libxml2_version()};
	facts[count++] = (struct environment_fact){"gmp", gmp_version};
	facts[count++] = (struct environment_fact){"glpk", lp_solver_version()};
	facts[count++] = (struct environment_fact){"zlib", zlibVersion()};
	facts[count++] = (struct environment_fact){"nettle", hash_version()};
	facts[count++] = (struct environment_fact){"executable-sha256", hash_file("/proc/self/exe", executable) ? executable : NULL};
	facts[count++] = (struct environment_fact){"date", date()};
	facts[count] = (struct environment_fact){0};
	return facts;
}
