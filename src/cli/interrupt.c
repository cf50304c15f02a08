#include "cli/interrupt.h"

#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

volatile sig_atomic_t interrupted;

static struct sigaction before[SIGNALS];

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

void interrupt_begin(void)
{
	struct sigaction once = {.sa_handler = interrupt, .sa_flags = SA_RESETHAND | SA_RESTART};
	for (int i = 0; i < SIGNALS; i++)
		if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &once, NULL);
}

void interrupt_end(void)
{
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
}
