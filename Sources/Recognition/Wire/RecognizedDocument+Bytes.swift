extension RecognizedDocument {
    /// The document in the wire format, to be stored.
    package var wireBytes: [UInt8] {
        var writer = WireWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// - Throws: `WireError` unless the bytes are a document in this or an earlier version of the wire format.
    package init(wireBytes: [UInt8]) throws(WireError) {
        var reader = WireReader(wireBytes)
        try self.init(from: &reader)
        try reader.end()
    }
}
