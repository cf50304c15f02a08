/* Pictures of what was measured, as SVG in a page of HTML.
 *
 * Requires: a calibration whose recordings were read; classes c0 to c7, line and small in the page's style.
 * Provides: an element each; nothing where there is nothing to show. They are for readers: no bound follows from them.
 * Fails:    never.
 */
#ifndef CALIBRATE_PICTURES_H
#define CALIBRATE_PICTURES_H

#include "base/output.h"
#include "calibrate/growth.h"
#include "model/platform.h"

struct delays;

void picture_growth(struct output *output, const struct growth *growth);
void picture_order(struct output *output, const struct platform *platform);
void picture_delays(struct output *output, const struct delays *delays);
void picture_factors(struct output *output, struct arena *arena, const struct platform *platform);
void picture_slices(struct output *output, struct arena *arena, const struct recording *recording);

#endif
