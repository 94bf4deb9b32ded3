import CTesseract

/// Replaces Leptonica's function of this name in the whole program.
///
/// Tesseract 5 packs every line into a PNG and unpacks it again (`ImageData::SetPixInternal`), which takes a twentieth of the
/// time. It calls this function for that and accepts any format: grey pictures are stored uncompressed after a header. If
/// the linker resolves the name otherwise, reading works as before, slower.
@c(pixWriteMem)
package func packPlainly(
    _ data: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ size: UnsafeMutablePointer<Int>?,
    _ picture: UnsafeMutablePointer<Pix>?, _ format: Int32
) -> Int32 {
    guard let picture, format == Int32(IFF_PNG) else { return 1 }
    let isPlain = picture.pointee.d == 8 && picture.pointee.colormap == nil
    return isPlain ? pixWriteMemPnm(data, size, picture) : pixWriteMemPng(data, size, picture, 0)
}
