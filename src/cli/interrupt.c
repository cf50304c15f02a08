#include "cli/interrupt.h"

#include "base/output.h"

#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

volatile sig_atomic_t interrupted;

static struct sigaction before[SIGNALS];

/* The process dies of the signal, as if it had no handler. */
static void end(int number)
{
	output_remove_temporaries();
	signal(number, SIG_DFL);
	raise(number);
}

static void interrupt(int number)
{
	if (interrupted)
		end(number);
	interrupted = 1;
}

/* What ignores the signal goes on doing so. */
static void handle(void (*handler)(int))
{
	const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	for (int i = 0; i < SIGNALS; i++)
		if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}

void interrupt_clean(void)
{
	handle(end);
}

void interrupt_begin(void)
{
	handle(interrupt);
}

void interrupt_end(void)
{
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
}
