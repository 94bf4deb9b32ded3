#define ZX_USE_UTF8 1
#include "CBarcode.h"

#include <ZXing/BarcodeFormat.h>
#include <ZXing/ReadBarcode.h>
#include <ZXing/ZXVersion.h>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

const char *barcode_library_version(void) {
    return VALUE(ZXING_VERSION_MAJOR) "." VALUE(ZXING_VERSION_MINOR) "." VALUE(ZXING_VERSION_PATCH);
}

namespace {
// Longer texts are ignored, because codes on receipts are shorter.
constexpr size_t maximum_text_bytes = 4095;

struct found_code {
    std::string format, text;
    barcode_box place;
};
} // namespace

struct barcodes {
    std::vector<found_code> codes;
};

barcodes *barcodes_find(const uint8_t *pixels, int width, int height, int stride, int capacity) {
    try {
        using namespace ZXing;
        ImageView picture(pixels, width, height, ImageFormat::Lum, stride);
        // Searches for at most ten matrix codes, then for one bar code. A search for several bar codes in more than one
        // direction fails an assertion of the library (Result.cpp, lineCount() == 1).
        DecodeHints squares, bars;
        squares.setFormats(BarcodeFormat::QRCode | BarcodeFormat::DataMatrix);
        squares.setMaxNumberOfSymbols(static_cast<uint8_t>(std::min(capacity, 10)));
        bars.setFormats(BarcodeFormat::ITF | BarcodeFormat::Code128 | BarcodeFormat::EAN13 | BarcodeFormat::EAN8);
        bars.setMaxNumberOfSymbols(1);
        auto found = std::make_unique<barcodes>();
        for (auto hints : {squares, bars}) {
            hints.setTryHarder(true);
            hints.setTryRotate(true);
            for (const auto &result : ReadBarcodes(picture, hints)) {
                if (static_cast<int>(found->codes.size()) == capacity || !result.isValid()) continue;
                std::string text = result.text();
                if (text.empty() || text.size() > maximum_text_bytes) continue;
                const auto &corners = result.position();
                barcode_box place{corners[0].x, corners[0].y, corners[0].x, corners[0].y};
                for (const auto &corner : corners) {
                    place.left = std::min(place.left, corner.x);
                    place.top = std::min(place.top, corner.y);
                    place.right = std::max(place.right, corner.x);
                    place.bottom = std::max(place.bottom, corner.y);
                }
                found->codes.push_back({ToString(result.format()), std::move(text), place});
            }
        }
        return found.release();
    } catch (...) {
        return nullptr;
    }
}

void barcodes_free(barcodes *found) { delete found; }

int barcodes_count(const barcodes *found) { return static_cast<int>(found->codes.size()); }

const char *barcodes_format(const barcodes *found, int index) { return found->codes[index].format.c_str(); }

const char *barcodes_text(const barcodes *found, int index) { return found->codes[index].text.c_str(); }

barcode_box barcodes_box(const barcodes *found, int index) { return found->codes[index].place; }
