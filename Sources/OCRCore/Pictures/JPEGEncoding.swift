import CImage

extension Raster {
    /// The picture as a JPEG without metadata; `quality` is 1…100. Nil if there is not enough memory.
    package func jpeg(quality: Int) -> [UInt8]? {
        guard let encoder = tjInitCompress() else { return nil }
        defer { tjDestroy(encoder) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let outcome = withBytes { rows, stride in
            tjCompress2(
                encoder, rows, Int32(width), Int32(stride), Int32(height), Int32(TJPF_GRAY.rawValue), &bytes, &count,
                Int32(TJSAMP_GRAY.rawValue), Int32(quality), 0)
        }
        defer { tjFree(bytes) }
        guard outcome == 0, let bytes else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}
