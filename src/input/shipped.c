/* Looking up a shipped model. */
#include "input/shipped.h"

#include <string.h>

const struct shipped_model *shipped_find(const char *name)
{
	const struct shipped_model *model = shipped_models;
	while (model->name != NULL && strcmp(model->name, name) != 0 && strcmp(model->id, name) != 0)
		model++;
	return model->name != NULL ? model : NULL;
}

const struct shipped_model *shipped_of_bytes(const char *bytes, size_t length)
{
	const struct shipped_model *model = shipped_models;
	while (model->name != NULL && (model->length != length || memcmp(model->text, bytes, length) != 0))
		model++;
	return model->name != NULL ? model : NULL;
}
