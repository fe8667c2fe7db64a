#pragma once
#include <stddef.h>

/// A file that travels inside the program.
struct stol_asset {
  const char *name;
  const unsigned char *bytes;
  size_t byte_count;
};

/// All files of the explorer, in the order of their names.
const struct stol_asset *stol_assets(void);

/// Their number.
extern const size_t stol_asset_count;
