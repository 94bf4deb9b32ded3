extension RecognizedDocument {
    /// The document in the form in which it crosses from the reader, to be kept.
    package var wireBytes: [UInt8] {
        var writer = WireWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// - Throws: `WireError` for bytes that `wireBytes` did not make.
    package init(wireBytes: [UInt8]) throws(WireError) {
        var reader = WireReader(wireBytes)
        try self.init(from: &reader)
        try reader.end()
    }
}
