#include "CBarcode.h"

#include <ZXing/ZXVersion.h>

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

const char *barcode_library_version(void) {
    return VALUE(ZXING_VERSION_MAJOR) "." VALUE(ZXING_VERSION_MINOR) "." VALUE(ZXING_VERSION_PATCH);
}
