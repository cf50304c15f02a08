#include "base/hash.h"

#include <sha2.h>
#include <stdint.h>
#include <stdlib.h>

void hash_bytes(const void *bytes, size_t length, char text[HASH_TEXT])
{
	SHA2_CTX context;
	SHA256Init(&context);
	SHA256Update(&context, bytes, length);
	SHA256End(&context, text);
}

bool hash_file(const char *path, char text[HASH_TEXT])
{
	return SHA256File(path, text) != NULL;
}
