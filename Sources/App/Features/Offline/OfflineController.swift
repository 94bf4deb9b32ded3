import Crypto
import Domain
import HTTP
import JSON
import Templates

/// The responses that a browser needs for offline use: the service worker, the offline page and its data.
struct OfflineController: Sendable {
    /// A hash of the styles, scripts, icons and the offline page.
    let version: String
    private let queries: OfflineQueries
    private let page: View<OfflinePage>
    private let worker: [UInt8]

    /// - Throws: `TemplateError`; `Assets.MissingAsset` if a script of the service worker cannot be read.
    init(_ config: Config, _ database: Database, _ views: Views) throws {
        queries = OfflineQueries(database: database)
        page = try views.page("offline/index", OfflinePage.self)
        let urls = views.assets.offlineURLs
        var digest = SHA256Digest()
        digest.update(Array(urls.joined(separator: "\n").utf8))
        for language in Language.allCases {
            digest.update(
                page.page.render(
                    OfflinePage(), layout: Layout(frame: .constant(views.assets, language)), language: language))
        }
        version = String(Hexadecimal.encode(digest.finish()).prefix(16))
        worker = try Self.script(config.assets, version: version, urls)
    }

    func register(_ routes: inout Routes) throws {
        try routes.withoutSession("/service-worker.js", "OfflineController.script") { _ in script() }
        try routes.visitor(.get, "/offline", "OfflineController.show", show)
        try routes.member(.get, "/offline/member", "OfflineController.member", member)
        try routes.member(.get, "/offline/data", "OfflineController.data", data)
    }

    /// Returns the service worker. A browser installs it again when any byte of it changes.
    private func script() -> Response {
        var headers = SecurityHeaders.ofFiles
        headers.append(.contentType, "text/javascript; charset=utf-8")
        headers.append(.cacheControl, "no-cache")
        return Response(headers: headers, body: .bytes(worker))
    }

    /// Shows the offline page. It contains no data of a user, because all users of a browser share the copy that the
    /// service worker stores.
    private func show(_ request: VisitorRequest) async throws -> Response {
        let language = request.head.query("language").flatMap(Language.init(rawValue:)) ?? request.language
        return page.response(OfflinePage(), request.context.anonymous(in: language), status: .ok)
    }

    /// Returns the signed-in member, and a CSRF token for the requests of the service worker.
    private func member(_ request: MemberRequest) async throws -> Response {
        var json = JSONWriter()
        json.object { json in
            json.member("owner", LocalOwner.name(request.member))
            json.member("token", request.context.csrfToken)
            json.member("language", request.language.rawValue)
            json.member("version", version)
        }
        return .json(json.bytes)
    }

    private func data(_ request: MemberRequest) async throws -> Response {
        let days = page.days(request)
        return .json(try await queries.load(request.member, days).json(owner: LocalOwner.name(request.member)))
    }

    /// Builds the script of the service worker: a constant with the version and the files to store, and then the source
    /// files.
    private static func script(_ folder: String, version: String, _ urls: [String]) throws -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("version", version)
            json.array("parts") { json in for url in urls { json.value(url) } }
            json.array("pages") { json in
                for language in Language.allCases { json.value("/offline?language=\(language.rawValue)") }
            }
        }
        var script = Array("const release = ".utf8) + json.bytes + Array(";\n".utf8)
        for name in ["queue", "worker"] {
            guard let bytes = FileContent.read("\(folder)/js/\(name).js", limit: 1 << 20) else {
                throw Assets.MissingAsset(description: "\(folder)/js/\(name).js is missing")
            }
            script += bytes
        }
        return script
    }
}

/// The model of the view `offline/index`, which a script fills.
struct OfflinePage: PageModel {
    static let fields = Fields<Self> { _ in }
}
