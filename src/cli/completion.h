/* Completion of the command line by the shell.
 *
 * Requires: the tables of commands and options.
 * Provides: a script for bash, zsh or fish: commands, options, the words of an option that has a choice, names of shipped models and
 *           of assumptions; files elsewhere.
 * Source:   the tables from which --help is printed, so that the two cannot differ.
 * Fails:    never.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "base/output.h"

void completion_bash(struct output *output);
void completion_zsh(struct output *output);
void completion_fish(struct output *output);

#endif
