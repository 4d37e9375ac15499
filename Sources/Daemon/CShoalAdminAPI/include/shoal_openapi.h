#pragma once
#include <stddef.h>

// docs/openapi.json, `byte_count` bytes without a zero behind them.
const char *shoal_openapi(size_t *byte_count);
