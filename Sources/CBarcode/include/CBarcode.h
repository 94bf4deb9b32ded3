#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the bar code library, for `--version` and logs.
const char *barcode_library_version(void);

#ifdef __cplusplus
}
#endif
