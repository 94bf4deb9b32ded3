import HTTP
import Templates

/// The styles, scripts and icons, listed at start. Pages link to their permanent URLs.
struct Assets: Sendable, PageModel {
    private let files: StaticFiles
    private let urls: [String: String]

    /// Template keys and their files.
    private static let names = [
        "tokensCss": "css/tokens.css", "appCss": "css/app.css", "controlsCss": "css/controls.css",
        "pagesCss": "css/pages.css", "pricesCss": "css/prices.css",
        "expensesCss": "css/expenses.css", "expensesJs": "js/expenses.js", "appJs": "js/app.js",
        "uploadJs": "js/upload.js", "liveJs": "js/live.js", "progressJs": "js/progress.js", "reviewJs": "js/review.js",
        "reviewAmountsJs": "js/review-amounts.js", "reviewLinesJs": "js/review-lines.js",
        "reviewPictureJs": "js/review-picture.js",
        "apiJs": "js/api.js", "winesCss": "css/wines.css", "winesJs": "js/wines.js",
        "archivesJs": "js/archives.js",
        "queueJs": "js/queue.js", "changesJs": "js/changes.js", "offlineJs": "js/offline.js",
        "icons": "icons/icons.svg", "favicon": "icons/favicon.svg", "touchIcon": "icons/app-180.png",
        "manifestDe": "app.de.webmanifest", "manifestEn": "app.en.webmanifest",
    ]

    /// A file that pages link to does not exist.
    struct MissingAsset: Error, CustomStringConvertible {
        let description: String
    }

    init(folder: String) throws {
        files = try StaticFiles(root: folder, headers: SecurityHeaders.ofFiles)
        var urls: [String: String] = [:]
        for (key, path) in Self.names {
            guard let url = files.url(for: path) else {
                throw MissingAsset(description: "\(folder)/\(path) is missing")
            }
            urls[key] = url
        }
        self.urls = urls
    }

    /// Returns nil unless the request is for a static file.
    func response(_ head: RequestHead) -> Response? { files.response(to: head) }

    /// The permanent URLs of all styles, scripts and icons, which browsers keep for offline use.
    var offlineURLs: [String] {
        files.list.filter { $0.path.hasPrefix("css/") || $0.path.hasPrefix("js/") || $0.path.hasPrefix("icons/") }
            .map(\.url)
    }

    static let fields = Fields<Self> { f in
        for key in names.keys { f.text(key) { $0.urls[key] ?? "" } }
    }
}
