import Foundation
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(5))) struct StaticFilesTests {
    private let folder: URL
    private let files: StaticFiles
    private static let style = String(repeating: "body { color: red }\n", count: 200)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("static-\(UUID().uuidString)")
        let root = folder.appendingPathComponent("Public")
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent("css"), withIntermediateDirectories: true)
        try Data(Self.style.utf8).write(to: root.appendingPathComponent("css/app.css"))
        try Data("icon".utf8).write(to: root.appendingPathComponent("favicon.ico"))
        try Data("secret".utf8).write(to: folder.appendingPathComponent("secret"))
        try Data("hidden".utf8).write(to: root.appendingPathComponent(".hidden"))
        try Data([UInt8](repeating: 7, count: 300_000)).write(to: root.appendingPathComponent("large.png"))
        try FileManager.default.createSymbolicLink(
            at: root.appendingPathComponent("link"), withDestinationURL: folder.appendingPathComponent("secret"))
        files = try StaticFiles(root: root.path)
        try FileManager.default.removeItem(at: folder)
    }

    private func head(_ target: String, _ headers: Headers = [:], method: Method = .get) throws -> RequestHead {
        var fields: [UInt8] = []
        headers.write(to: &fields)
        let text = "\(method) \(target) HTTP/1.1\r\nHost: a\r\n" + String(decoding: fields, as: UTF8.self) + "\r\n"
        let message = try #require(ParserTrace(text).heads.first)
        return try RequestHead(
            validating: message, id: RequestID(1), peer: .loopback, isSecure: false, hosts: AllowedHosts())
    }

    private func get(_ target: String, _ headers: Headers = [:]) throws -> Response? {
        files.response(to: try head(target, headers))
    }

    private func bytes(_ response: Response?) -> [UInt8]? {
        guard case .file(let file)? = response?.body else { return nil }
        switch file.source {
        case .memory(let bytes): return Array(bytes[file.range])
        case .descriptor(let open): return open.read(file.range)
        }
    }

    @Test("serves a file at a permanent address with its hash and at an address that clients revalidate")
    func addresses() throws {
        let url = try #require(files.url(for: "css/app.css"))
        #expect(url.hasPrefix("/static/css/app.") && url.hasSuffix(".css") && url.utf8.count == 36)
        let permanent = try get(url + "?x")
        #expect(permanent?.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(permanent?.headers[.contentType] == "text/css; charset=utf-8")
        #expect(bytes(permanent) == Array(Self.style.utf8))
        #expect(try get("/static/css/app.css")?.headers[.cacheControl] == "no-cache")
        #expect(bytes(try get("/favicon.ico")) == Array("icon".utf8))
        #expect(bytes(try get("/large.png"))?.count == 300_000)
        #expect(files.url(for: "missing") == nil)
        #expect(files.list.map(\.path) == ["css/app.css", "favicon.ico", "large.png"])
    }

    @Test(
        "serves only files in the index",
        arguments: [
            "/static/link", "/static/.hidden", "/static/secret", "/static//css/app.css", "/static/css/app.css/",
            "/static/css", "/static/", "/static/css/app.css;x", "/static/%252e%252e/secret", "/app.css",
            "/static/css/app.aaaaaaaaaaaaaaaa.css",
        ])
    func outside(_ target: String) throws {
        #expect(try get(target) == nil)
    }

    @Test("gives the compressed form of a file its own strong entity tag")
    func compression() throws {
        let plain = try #require(try get("/static/css/app.css"))
        let small = try #require(try get("/static/css/app.css", ["Accept-Encoding": "br, gzip"]))
        #expect(small.headers[.contentEncoding] == "gzip")
        #expect(small.headers[.vary] == "Accept-Encoding" && plain.headers[.vary] == "Accept-Encoding")
        #expect(small.headers[.etag] != plain.headers[.etag])
        #expect(try #require(bytes(small)).starts(with: [0x1F, 0x8B]))
        #expect(try get("/large.png", ["Accept-Encoding": "gzip"])?.headers[.contentEncoding] == nil)
    }

    @Test("answers 304 for a current copy")
    func conditional() throws {
        let tag = try #require(try get("/favicon.ico")?.headers[.etag])
        let fresh = try get("/favicon.ico", ["If-None-Match": tag])
        #expect(fresh?.status == .notModified)
        #expect(fresh?.headers[.etag] == tag)
        #expect(bytes(fresh) == nil)
        #expect(try get("/favicon.ico", ["If-None-Match": "\"other\""])?.status == .ok)
    }

    @Test("answers 412 if If-Match names another version")
    func preconditions() throws {
        let tag = try #require(try get("/favicon.ico")?.headers[.etag])
        #expect(try get("/favicon.ico", ["If-Match": tag])?.status == .ok)
        #expect(try get("/favicon.ico", ["If-Match": "*"])?.status == .ok)
        #expect(
            try get("/favicon.ico", ["If-Match": "\"a\", \(tag)", "Range": "bytes=1-2"])?.status == .partialContent)
        for other in ["\"other\"", "W/\(tag)"] {
            let failed = try get("/favicon.ico", ["If-Match": other, "If-None-Match": tag])
            #expect(failed?.status == .preconditionFailed)
            #expect(bytes(failed) == nil)
        }
    }

    @Test("serves a range of the uncompressed file")
    func ranges() throws {
        let part = try get("/favicon.ico", ["Range": "bytes=1-2", "Accept-Encoding": "gzip"])
        #expect(part?.status == .partialContent)
        #expect(part?.headers[.contentRange] == "bytes 1-2/4")
        #expect(bytes(part) == Array("co".utf8))
        let none = try get("/favicon.ico", ["Range": "bytes=4-"])
        #expect(none?.status == .rangeNotSatisfiable)
        #expect(none?.headers[.contentRange] == "bytes */4")
        #expect(try get("/favicon.ico", ["Range": "bytes=0-1,2-3"])?.status == .ok)
        #expect(bytes(try get("/large.png", ["Range": "bytes=-5"])) == [7, 7, 7, 7, 7])
    }

    @Test("refuses methods other than GET and HEAD")
    func methods() throws {
        let response = files.response(to: try head("/favicon.ico", method: .post))
        #expect(response?.status == .methodNotAllowed)
        #expect(response?.headers[.allow] == "GET, HEAD")
        #expect(files.response(to: try head("/favicon.ico", method: .head))?.status == .ok)
    }

    @Test("fails at start if the folder does not exist")
    func missingFolder() {
        #expect(throws: StaticFiles.Unreadable.self) { try StaticFiles(root: "/does/not/exist") }
    }
}
