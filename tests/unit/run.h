/* The main function of a Check program: runs one suite without forks, so that sanitizers see everything. */
#ifndef TESTS_UNIT_RUN_H
#define TESTS_UNIT_RUN_H

#include <check.h>
#include <stdlib.h>

/* By it Check writes each assertion that holds to a file, so that a parent knows how far a fork got: here nobody asks. */
#define _mark_point(file, line) ((void)0)

static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
