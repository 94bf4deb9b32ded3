/// The bytes of a static file to be sent: from memory when small, else from an open descriptor.
package struct FileBody: Sendable {
    /// Where the bytes are.
    package enum Source: Sendable {
        case memory([UInt8])
        case descriptor(OpenFile)
    }

    /// The whole file, of which `range` is sent.
    package let source: Source
    /// The part to send, in bytes of the source.
    package let range: Range<Int>

    package init(source: Source, range: Range<Int>) {
        self.source = source
        self.range = range
    }
}
