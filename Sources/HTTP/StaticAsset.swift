/// A static file with its entity tags. Also holds the compressed file if it is more than a tenth smaller.
///
/// A class, because each request would copy a struct of a dozen references.
final class StaticAsset: Sendable {
    /// The file as stored, or its compressed form.
    private final class Representation: Sendable {
        let source: FileBody.Source
        let size: Int
        let tag: EntityTag
        /// Headers of answers at the revalidated and at the permanent address (see `StaticFiles`).
        let headers: (temporary: Headers, permanent: Headers)

        init(source: FileBody.Source, size: Int, tag: EntityTag, headers: (temporary: Headers, permanent: Headers)) {
            (self.source, self.size, self.tag, self.headers) = (source, size, tag, headers)
        }
    }

    /// Files up to this size are held in memory; larger ones are read from their descriptor.
    private static let memoryBytes = 256 * 1024
    /// Larger files are not compressed.
    private static let compressBytes = 8 << 20

    /// Sixteen characters, derived from the content.
    let hash: String
    private let plain: Representation
    private let gzip: Representation?

    /// Headers that the caller adds to every answer, including 416.
    private let commonHeaders: Headers

    /// Returns nil if the file cannot be read.
    init?(_ file: OpenFile, name: String, headers commonHeaders: Headers) {
        guard let bytes = file.read(0..<file.size), bytes.count == file.size else { return nil }
        let (type, isCompressible) = Self.mediaType(of: name)
        let hash = Self.hash(bytes)
        self.hash = hash
        self.commonHeaders = commonHeaders
        var compressed: [UInt8]?
        if isCompressible, bytes.count <= Self.compressBytes {
            compressed = Gzip.compress(bytes, level: Gzip.fileLevel).flatMap { representation in
                representation.count < bytes.count / 10 * 9 ? representation : nil
            }
        }
        let representation = { (source: FileBody.Source, size: Int, tag: EntityTag, coding: String?) in
            let headers = { (cache: String) in
                var headers: Headers = ["Content-Type": type, "Cache-Control": cache, "ETag": tag.description]
                if compressed != nil { headers.append(.vary, "Accept-Encoding") }
                if let coding {
                    headers.append(.contentEncoding, coding)
                } else {
                    headers.append(.acceptRanges, "bytes")
                }
                headers.append(contentsOf: commonHeaders)
                return headers
            }
            return Representation(
                source: source, size: size, tag: tag,
                headers: (headers("no-cache"), headers("public, max-age=31536000, immutable")))
        }
        let source = bytes.count <= Self.memoryBytes ? FileBody.Source.memory(bytes) : .descriptor(file)
        plain = representation(source, bytes.count, EntityTag(hash), nil)
        gzip = compressed.map { representation(.memory($0), $0.count, EntityTag(hash + "-gz"), "gzip") }
    }

    func response(to head: RequestHead, isPermanent: Bool) -> Response {
        let isRange = head.headers.contains(.range)
        let representation = gzip.flatMap { !isRange && Negotiation.acceptsGzip(head.headers) ? $0 : nil } ?? plain
        var headers = isPermanent ? representation.headers.permanent : representation.headers.temporary
        guard head.accepts(representation.tag) else {
            return Response(.preconditionFailed, headers: commonHeaders, isCompressible: false)
        }
        if head.isFresh(representation.tag) {
            headers.remove(.contentType)
            headers.remove(.contentEncoding)
            return Response(.notModified, headers: headers, isCompressible: false)
        }
        var range = 0..<representation.size
        var status = Status.ok
        switch ByteRange(head, size: representation.size, tag: representation.tag) {
        case .whole: break
        case .part(let part):
            range = part
            status = .partialContent
            headers.append(.contentRange, "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(representation.size)")
        case .unsatisfiable:
            var headers = commonHeaders
            headers.append(.contentRange, "bytes */\(representation.size)")
            return Response(.rangeNotSatisfiable, headers: headers, isCompressible: false)
        }
        return Response(
            status, headers: headers, body: .file(FileBody(source: representation.source, range: range)),
            isCompressible: false)
    }

    /// 128-bit FNV-1a, folded to 80 bits. A cryptographic hash is not needed, because all files are the project's own.
    private static func hash(_ bytes: [UInt8]) -> String {
        var hash = UInt128(0x6C62_272E_07BB_0142) << 64 | 0x62B8_2175_6295_C58D
        let prime = UInt128(1) << 88 | 0x13B
        for byte in bytes { hash = (hash ^ UInt128(byte)) &* prime }
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        var folded = hash ^ hash >> 48
        var text: [UInt8] = []
        for _ in 0..<16 {
            text.append(alphabet[Int(folded & 31)])
            folded >>= 5
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func mediaType(of name: String) -> (type: String, isCompressible: Bool) {
        switch name.split(separator: ".").last.map({ $0.lowercased() }) {
        case "css": ("text/css; charset=utf-8", true)
        case "js", "mjs": ("text/javascript; charset=utf-8", true)
        case "html": ("text/html; charset=utf-8", true)
        case "txt": ("text/plain; charset=utf-8", true)
        case "svg": ("image/svg+xml", true)
        case "json", "map": ("application/json", true)
        case "webmanifest": ("application/manifest+json", true)
        case "wasm": ("application/wasm", true)
        case "ico": ("image/x-icon", true)
        case "png": ("image/png", false)
        case "jpg", "jpeg": ("image/jpeg", false)
        case "webp": ("image/webp", false)
        case "woff2": ("font/woff2", false)
        case "pdf": ("application/pdf", false)
        default: ("application/octet-stream", false)
        }
    }
}
