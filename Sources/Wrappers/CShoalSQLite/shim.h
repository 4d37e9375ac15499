#pragma once
#include <sqlite3.h>

// The macro is a cast of -1 that Swift cannot import: "copy this value before bind returns".
static inline sqlite3_destructor_type shoal_sqlite_transient(void) { return SQLITE_TRANSIENT; }
