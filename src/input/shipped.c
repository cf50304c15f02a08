/* Looking up a shipped model. */
#include "input/shipped.h"

#include <stddef.h>
#include <string.h>

const struct shipped_model *shipped_find(const char *name)
{
	const struct shipped_model *model = shipped_models;
	while (model->name != NULL && strcmp(model->name, name) != 0 && strcmp(model->id, name) != 0)
		model++;
	return model->name != NULL ? model : NULL;
}

bool shipped_is_valid(const char *hash)
{
	const struct shipped_model *model = shipped_models;
	while (model->name != NULL && strcmp(model->hash, hash) != 0)
		model++;
	return model->name != NULL && model->valid;
}
