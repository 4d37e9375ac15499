#pragma once
#include <sqlite3.h>

// The macro is a cast of -1 that Swift cannot import: "copy this value before bind returns".
static inline sqlite3_destructor_type shoal_sqlite_transient(void) { return SQLITE_TRANSIENT; }

// sqlite3_config is variadic. Without statistics SQLite takes no global lock for each allocation. Has to come before the
// first connection of the process.
static inline int shoal_sqlite_disable_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
