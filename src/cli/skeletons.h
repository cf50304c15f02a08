/* Task sets to begin with: what gpubound init writes below the origins. */
#ifndef CLI_SKELETONS_H
#define CLI_SKELETONS_H

struct skeleton {
	const char *name, *title, *about, *body;
};

extern const struct skeleton skeletons[]; /* in the order of init's words; ends with a row without name */

#endif
