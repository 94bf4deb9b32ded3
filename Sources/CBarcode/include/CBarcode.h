#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the bar code library, for `--version` and logs.
const char *barcode_library_version(void);

/// One code found on a picture; texts are UTF-8, ended by zero.
struct barcode {
    char format[24];
    char text[4096];
    int left, top, right, bottom;
};

/// Looks for QR, DataMatrix and bar codes on a grey picture of 8 bits a pixel, in any direction.
/// Returns how many were written to `found`, at most `capacity`; 0 on any error.
int barcode_find(const uint8_t *pixels, int width, int height, int stride, struct barcode *found, int capacity);

#ifdef __cplusplus
}
#endif
