/// The limits of an archive. The reader refuses an archive that exceeds them; the writer does not write one.
package enum ArchiveLimits {
    /// Bytes of one document with its line feed. The largest documents hold the words of a PDF page: 4 MiB, encoded as
    /// hexadecimal digits, which doubles the size.
    package static let document = 12 << 20
    /// Bytes of a file of documents. A document that is larger has a file of its own.
    package static let documentsFile = 1 << 20
    /// Bytes of one picture or uploaded file; the limit of the table `blob`.
    package static let picture = 26_214_400
    /// Bytes of `head.json`.
    package static let head = 1 << 20
    /// Bytes of `manifest.json`.
    package static let manifest = 16 << 20
    /// Parts of an archive: about 25 for each household.
    package static let parts = 80_000
}
