/// The bytes of a static file, held in memory or read from an open descriptor.
package struct FileBody: Sendable {
    package enum Source: Sendable {
        case memory([UInt8])
        case descriptor(OpenFile)
    }

    /// The whole file.
    package let source: Source
    /// The part to send, in bytes of the source.
    package let range: Range<Int>

    package init(source: Source, range: Range<Int>) {
        self.source = source
        self.range = range
    }
}
