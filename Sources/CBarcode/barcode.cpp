#define ZX_USE_UTF8 1
#include "CBarcode.h"

#include <ZXing/BarcodeFormat.h>
#include <ZXing/ReadBarcode.h>
#include <ZXing/ZXVersion.h>
#include <algorithm>
#include <cstring>
#include <vector>

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

const char *barcode_library_version(void) {
    return VALUE(ZXING_VERSION_MAJOR) "." VALUE(ZXING_VERSION_MINOR) "." VALUE(ZXING_VERSION_PATCH);
}

int barcode_find(const uint8_t *pixels, int width, int height, int stride, struct barcode *found, int capacity) {
    try {
        using namespace ZXing;
        ImageView picture(pixels, width, height, ImageFormat::Lum, stride);
        int count = 0;
        // Squares, any number of them, then one bar code: looking for several in one go ends in an assertion of the
        // library (Result.cpp, lineCount() == 1) when the picture is searched in more than one direction.
        DecodeHints squares, bars;
        squares.setFormats(BarcodeFormat::QRCode | BarcodeFormat::DataMatrix);
        squares.setMaxNumberOfSymbols(static_cast<uint8_t>(std::min(capacity, 10)));
        bars.setFormats(BarcodeFormat::ITF | BarcodeFormat::Code128 | BarcodeFormat::EAN13 | BarcodeFormat::EAN8);
        bars.setMaxNumberOfSymbols(1);
        std::vector<Result> results;
        for (auto hints : {squares, bars}) {
            hints.setTryHarder(true);
            hints.setTryRotate(true);
            for (auto &result : ReadBarcodes(picture, hints)) results.push_back(result);
        }
        for (const auto &result : results) {
            if (count == capacity || !result.isValid()) continue;
            auto &code = found[count];
            std::memset(&code, 0, sizeof code);
            std::string text = result.text();
            std::string format = ToString(result.format());
            if (text.size() >= sizeof code.text || text.empty()) continue;
            std::memcpy(code.text, text.data(), text.size());
            std::memcpy(code.format, format.data(), std::min(format.size(), sizeof code.format - 1));
            const auto &corners = result.position();
            code.left = code.right = corners[0].x;
            code.top = code.bottom = corners[0].y;
            for (const auto &corner : corners) {
                code.left = std::min(code.left, corner.x);
                code.right = std::max(code.right, corner.x);
                code.top = std::min(code.top, corner.y);
                code.bottom = std::max(code.bottom, corner.y);
            }
            count++;
        }
        return count;
    } catch (...) {
        return 0;
    }
}
