#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the bar code library, for `--version` and logs.
const char *barcode_library_version(void);

/// The codes found in a picture.
typedef struct barcodes barcodes;

/// The bounding box of a code in pixels; right and bottom are inclusive.
struct barcode_box {
    int left, top, right, bottom;
};

/// Finds QR and DataMatrix codes, at most ten, and one bar code in any direction in a grey picture of 8 bits per pixel.
/// Returns at most `capacity` codes, or null on any error. Free the result with `barcodes_free`.
barcodes *barcodes_find(const uint8_t *pixels, int width, int height, int stride, int capacity);
void barcodes_free(barcodes *found);

int barcodes_count(const barcodes *found);
/// The name of a code's symbology: UTF-8, terminated by zero, valid until `found` is freed.
const char *barcodes_format(const barcodes *found, int index);
/// The content of a code: UTF-8, terminated by zero, valid until `found` is freed.
const char *barcodes_text(const barcodes *found, int index);
struct barcode_box barcodes_box(const barcodes *found, int index);

#ifdef __cplusplus
}
#endif
