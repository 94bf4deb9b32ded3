import CTesseract

/// Takes the place of Leptonica's function of this name for everything in the program.
///
/// Tesseract 5 packs every line into a PNG and unpacks it again before it looks at it (`ImageData::SetPixInternal`), which
/// costs a twentieth of the reading. It asks for that by this name, and takes any format back: grey pictures stay as
/// they are, behind a header. Where the linker resolves the name otherwise, everything works as before, slower.
@c(pixWriteMem)
package func packPlainly(
    _ data: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, _ size: UnsafeMutablePointer<Int>?,
    _ picture: UnsafeMutablePointer<Pix>?, _ format: Int32
) -> Int32 {
    guard let picture, format == Int32(IFF_PNG) else { return 1 }
    let isPlain = picture.pointee.d == 8 && picture.pointee.colormap == nil
    return isPlain ? pixWriteMemPnm(data, size, picture) : pixWriteMemPng(data, size, picture, 0)
}
