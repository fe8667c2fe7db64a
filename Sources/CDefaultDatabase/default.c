#include "CDefaultDatabase.h"

// `#embed` is C23; clang has it in every mode, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char database[] = {
#embed "default.sqlite.gz"
};

// Aligned as a mapping would be: it is read where it lies.
_Alignas(64) static const unsigned char pack[] = {
#embed "default.stolpack"
};

const unsigned char *stol_default_database_bytes(void) { return database; }

const size_t stol_default_database_byte_count = sizeof database;

const unsigned char *stol_default_pack_bytes(void) { return pack; }

const size_t stol_default_pack_byte_count = sizeof pack;
