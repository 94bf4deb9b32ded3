import CImage

/// Decodes a picture file of any supported kind to grey. JPEG and HEIF pictures are turned according to their metadata.
///
/// - Throws: `unsupported` (unknown first bytes, or HEIF with a depth other than 8 bits), `tooLarge` (before a pixel is
///   decoded), `damaged`, `memory`, `engine`.
package func decodePicture(_ bytes: [UInt8]) throws(ReadingFailure) -> Raster {
    let result = bytes.withUnsafeBytes { raw -> Result<Raster, ReadingFailure> in
        do throws(ReadingFailure) { return .success(try decode(raw)) } catch { return .failure(error) }
    }
    return try result.get()
}

private func decode(_ raw: UnsafeRawBufferPointer) throws(ReadingFailure) -> Raster {
    guard raw.count >= 12 else { throw .damaged }
    if raw[0] == 0xFF, raw[1] == 0xD8, raw[2] == 0xFF { return try decodeJPEG(raw) }
    if raw.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return try decodePNG(raw) }
    if raw.starts(with: Array("RIFF".utf8)), raw[8..<12].elementsEqual(Array("WEBP".utf8)) {
        return try decodeWebP(raw)
    }
    if raw[4..<8].elementsEqual(Array("ftyp".utf8)) { return try decodeHEIF(raw) }
    throw .unsupported
}

private func decodePNG(_ bytes: UnsafeRawBufferPointer) throws(ReadingFailure) -> Raster {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else { throw .damaged }
    defer { png_image_free(&image) }
    guard PictureLimits.allow(width: Int(image.width), height: Int(image.height)) else { throw .tooLarge }
    // Format 0 is 8-bit grey. Transparent parts become white.
    image.format = 0
    var paper = png_color(red: 255, green: 255, blue: 255)
    var isRead = false
    let picture = Raster(width: Int(image.width), height: Int(image.height)) { rows, stride in
        isRead = png_image_finish_read(&image, &paper, rows, Int32(stride), nil) != 0
        return true
    }
    guard let picture else { throw .memory }
    if !isRead { throw .damaged }
    return picture
}

private func decodeWebP(_ bytes: UnsafeRawBufferPointer) throws(ReadingFailure) -> Raster {
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var width: Int32 = 0
    var height: Int32 = 0
    guard WebPGetInfo(start, bytes.count, &width, &height) != 0 else { throw .damaged }
    guard PictureLimits.allow(width: Int(width), height: Int(height)) else { throw .tooLarge }
    var u: UnsafeMutablePointer<UInt8>?
    var v: UnsafeMutablePointer<UInt8>?
    var stride: Int32 = 0
    var colourStride: Int32 = 0
    let luma = WebPDecodeYUV(start, bytes.count, &width, &height, &u, &v, &stride, &colourStride)
    guard let luma else { throw .damaged }
    defer { WebPFree(luma) }
    guard let picture = Raster(luma: luma, stride: Int(stride), width: Int(width), height: Int(height), limited: true)
    else { throw .memory }
    return picture
}

private func decodeHEIF(_ bytes: UnsafeRawBufferPointer) throws(ReadingFailure) -> Raster {
    guard let context = heif_context_alloc() else { throw .engine }
    defer { heif_context_free(context) }
    heif_context_set_maximum_image_size_limit(context, Int32(PictureLimits.side))
    guard heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil).code == heif_error_Ok
    else { throw .damaged }
    var handle: OpaquePointer?
    guard heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok, let handle else {
        throw .damaged
    }
    defer { heif_image_handle_release(handle) }
    guard
        PictureLimits.allow(
            width: Int(heif_image_handle_get_width(handle)), height: Int(heif_image_handle_get_height(handle)))
    else { throw .tooLarge }
    var image: OpaquePointer?
    // The library turns the picture according to the file. Only the brightness is read.
    guard
        heif_decode_image(handle, &image, heif_colorspace_YCbCr, heif_chroma_420, nil).code == heif_error_Ok,
        let image
    else { throw .damaged }
    defer { heif_image_release(image) }
    var stride: Int32 = 0
    let luma = heif_image_get_plane_readonly(image, heif_channel_Y, &stride)
    guard let luma, heif_image_get_bits_per_pixel_range(image, heif_channel_Y) == 8 else { throw .unsupported }
    guard
        let picture = Raster(
            luma: luma, stride: Int(stride), width: Int(heif_image_get_width(image, heif_channel_Y)),
            height: Int(heif_image_get_height(image, heif_channel_Y)), limited: false)
    else { throw .memory }
    return picture
}

extension Raster {
    /// Converts a plane of brightness. A very large plane is reduced by a whole factor. `limited` means that 16…235 is
    /// black…white.
    fileprivate convenience init?(
        luma: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int, limited: Bool
    ) {
        let step = PictureLimits.reduction(width: width, height: height)
        let range = (0..<256).map { UInt8(max(0, min(255, limited ? ($0 - 16) * 255 / 219 : $0))) }
        self.init(width: width / step, height: height / step) { rows, rowStride in
            for y in 0..<(height / step) {
                let row = rows + y * rowStride
                for x in 0..<(width / step) {
                    var sum = 0
                    for inner in 0..<step {
                        let line = luma + (y * step + inner) * stride + x * step
                        for column in 0..<step { sum += Int(line[column]) }
                    }
                    row[x] = range[sum / (step * step)]
                }
            }
            return true
        }
    }
}
