/* How far tasks are from another verdict, for a reader.
 *
 * Requires: slack/slack.h.
 * Provides: a paragraph for one task, a table for all.
 * Fails:    never.
 */
#ifndef REPORT_SLACK_TEXT_H
#define REPORT_SLACK_TEXT_H

#include "report/report.h"

void slack_text_of(struct output *output, const char *task, enum verdict verdict, const struct slack *slack, bool conditions, bool colour);
void slack_text(struct output *output, const struct report *report, bool colour);

#endif
