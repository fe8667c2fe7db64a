#include "CDefaultDatabase.h"

// `#embed` is C23; clang has it in every mode, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char database[] = {
#embed "default.sqlite.gz"
};

const unsigned char *stol_default_database_bytes(void) { return database; }

const size_t stol_default_database_byte_count = sizeof database;
