#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the bar code library, for `--version` and logs.
const char *barcode_library_version(void);

/// What was found on a picture.
typedef struct barcodes barcodes;

/// Pixels that a code covers; right and bottom are the last ones.
struct barcode_place {
    int left, top, right, bottom;
};

/// Looks for QR, DataMatrix and bar codes on a grey picture of 8 bits a pixel, in any direction; at most `capacity`.
/// Null on any error. To be given to `barcodes_free`.
barcodes *barcodes_find(const uint8_t *pixels, int width, int height, int stride, int capacity);
void barcodes_free(barcodes *found);

int barcodes_count(const barcodes *found);
/// The symbology's name and the text of a code, UTF-8, ended by zero, as long as `found` lives.
const char *barcodes_format(const barcodes *found, int index);
const char *barcodes_text(const barcodes *found, int index);
struct barcode_place barcodes_place(const barcodes *found, int index);

#ifdef __cplusplus
}
#endif
