#pragma once
#include <stddef.h>

// The preset files, one behind the other, each ended by a zero byte; `byte_count` includes the last of these.
const char *shoal_presets(size_t *byte_count);
