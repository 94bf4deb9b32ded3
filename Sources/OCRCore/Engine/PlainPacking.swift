import CTesseract

/// Replaces Leptonica's function of this name in the whole program.
///
/// Tesseract 5 encodes every line as PNG and decodes it again (`ImageData::SetPixInternal`), which takes 5 % of the
/// time. Tesseract calls this function to encode, and its decoder accepts any format. So grey pictures are stored
/// uncompressed after a header. If the linker resolves the name to Leptonica's function, reading is slower but works.
@c(pixWriteMem)
package func packPlainly(
    _ data: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ size: UnsafeMutablePointer<Int>?,
    _ picture: UnsafeMutablePointer<Pix>?, _ format: Int32
) -> Int32 {
    guard let picture, format == Int32(IFF_PNG) else { return 1 }
    let isPlain = picture.pointee.d == 8 && picture.pointee.colormap == nil
    return isPlain ? pixWriteMemPnm(data, size, picture) : pixWriteMemPng(data, size, picture, 0)
}
