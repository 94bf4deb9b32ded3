import Crypto
import JSON

/// The parts of an archive in their order, with sizes and digests.
package struct ArchiveManifest: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        /// The path of the folder, or `head.json`.
        package let path: String
        /// Number of files.
        package var fileCount = 0
        /// Number of documents; 0 for pictures.
        package var documentCount = 0
        /// The size of all files together, in bytes.
        package var bytes = 0
        /// The SHA-256 of the concatenated contents of all files.
        package var digest: [UInt8] = []
    }

    package var entries: [Entry] = []

    /// The canonical encoding of the entries. A reader compares it with the stored one.
    var json: [UInt8] {
        var json = JSONWriter(capacity: entries.count * 200 + 100)
        json.object { json in
            json.array("parts") { json in
                for entry in entries {
                    json.object { json in
                        json.member("path", entry.path)
                        json.member("files", Int64(entry.fileCount))
                        json.member("documents", Int64(entry.documentCount))
                        json.member("bytes", Int64(entry.bytes))
                        json.member("sha256", Hexadecimal.encode(entry.digest))
                    }
                }
            }
        }
        return json.bytes + [0x0A]
    }

    /// Returns the path of the first part for which the stored manifest differs, for the error message.
    func firstDifference(from stored: [UInt8]) -> String {
        let limits = JSONLimits(size: ArchiveLimits.manifest, depth: 4)
        guard let parts = (try? JSONValue(reading: stored, limits: limits))?["parts"]?.array else {
            return "manifest.json"
        }
        for (index, entry) in entries.enumerated() {
            guard index < parts.count, parts[index]["path"]?.string == entry.path,
                parts[index]["files"]?.integer == Int64(entry.fileCount),
                parts[index]["documents"]?.integer == Int64(entry.documentCount),
                parts[index]["bytes"]?.integer == Int64(entry.bytes),
                parts[index]["sha256"]?.string == Hexadecimal.encode(entry.digest)
            else { return entry.path }
        }
        return "manifest.json"
    }
}

/// One part while it is written or read.
struct OpenPart: ~Copyable {
    var entry: ArchiveManifest.Entry
    private var digest = SHA256Digest()

    init(path: String) { entry = ArchiveManifest.Entry(path: path) }

    mutating func add(_ bytes: some Collection<UInt8>) {
        entry.bytes += bytes.count
        digest.update(bytes)
    }

    mutating func finish() -> ArchiveManifest.Entry {
        entry.digest = digest.finish()
        return entry
    }
}
