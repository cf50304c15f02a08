/* Long commands end with what they have when they are asked to.
 *
 * Requires: one such command at a time.
 * Provides: a flag that SIGINT, SIGTERM and SIGHUP set; who asks twice is not kept waiting. SIGHUP stays ignored where nohup(1) ignores it.
 *           All commands: temporary files are removed before one of these signals ends the program.
 * Source:   signal(7).
 * Fails:    never.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <signal.h>

extern volatile sig_atomic_t interrupted;

void interrupt_clean(void); /* from now on such a signal removes temporary files and ends the program */
void interrupt_begin(void); /* the next of these signals sets the flag, the one after it ends the program */
void interrupt_end(void);   /* as it was before */

#endif
