/* Numbers with units, read exactly.
 *
 * Requires: nothing.
 * Provides: decimal and fractional literals with a unit as exact rationals in the base unit (ns, bytes, Hz, 1), and their rounding.
 *           A literal is DIGITS[.DIGITS][e[+-]DIGITS][/DIGITS] UNIT, without sign, with at most one space before the unit.
 * Source:   [EXACT]: decimals are exact; worst cases round up, best cases round down.
 * Fails:    a literal that is not of its kind, or does not fit 64 bits, is reported by UNITS_MALFORMED or UNITS_TOO_LARGE.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include "base/memory.h"
#include "base/rational.h"

enum unit {
	UNIT_COUNT,     /* no unit */
	UNIT_TIME,      /* ns us ms s, or cycles with a clock; base: ns */
	UNIT_BYTES,     /* B kB MB GB (powers of 1000) KiB MiB GiB (of 1024); base: bytes */
	UNIT_FREQUENCY, /* Hz kHz MHz GHz; base: Hz */
	UNIT_FACTOR,    /* no unit; a rational */
};

enum units_status { UNITS_OK, UNITS_MALFORMED, UNITS_WRONG_UNIT, UNITS_NO_CLOCK, UNITS_TOO_LARGE };

/* clock: frequency in Hz for "cycles", or RATIONAL_NONE where cycles are not allowed. */
enum units_status units_parse(const char *text, enum unit unit, struct rational clock, struct rational *value);

size_t units_number_length(const char *text);                          /* of a literal without its unit */
const char *units_literal(struct arena *arena, struct rational value); /* as a decimal number where it is one, else as a fraction */

const char *units_expected(enum unit unit); /* "a time such as 33ms, 1.5us or 41000000cycles" */
const char *units_symbol(enum unit unit);   /* "ns", "B", "Hz", "" */

#endif
