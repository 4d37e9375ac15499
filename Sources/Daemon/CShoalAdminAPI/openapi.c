// The description of the admin API as it stands in docs/, put into the program by the compiler (C23 §6.10.4, `#embed`).
#include "shoal_openapi.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char document[] = {
#embed "../../../docs/openapi.json"
};

const char *shoal_openapi(size_t *byte_count) {
    *byte_count = sizeof document;
    return document;
}
