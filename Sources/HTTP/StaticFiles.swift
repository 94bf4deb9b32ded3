/// The files of a folder, catalogued once at start and served by name.
///
/// A request only ever looks a name up in the catalogue, so no path is made from what a client sends. Every file has
/// two addresses: `/static/css/app.HASH.css`, which never changes its content and is cached for a year, and
/// `/static/css/app.css`, which is revalidated. Files that lie directly in the folder also answer at `/name`
/// (favicon, service worker, manifest). Symbolic links and names that begin with a dot are left out.
package struct StaticFiles: Sendable {
    /// A folder or file that cannot be read.
    package struct Unreadable: Error, CustomStringConvertible {
        /// On this machine; for the log at start.
        package let path: String
        package var description: String { "cannot read \(path)" }
    }

    private struct Entry: Sendable {
        let asset: StaticAsset
        let isPermanent: Bool
    }

    private var entries: [String: Entry] = [:]
    private var urls: [String: String] = [:]
    private let headers: Headers

    /// Reads the folder, hashes and compresses.
    ///
    /// - Parameters:
    ///   - root: the folder; its own path may contain links.
    ///   - prefix: of all addresses, without a slash at its end.
    ///   - headers: that every answer carries.
    /// - Throws: the first folder or file that cannot be read.
    package init(root: String, prefix: String = "/static", headers: Headers = Headers()) throws(Unreadable) {
        self.headers = headers
        for path in try Self.files(in: root) {
            guard let file = OpenFile(path: root + "/" + path),
                let asset = StaticAsset(file, name: path, headers: headers)
            else {
                throw Unreadable(path: root + "/" + path)
            }
            let permanent = prefix + "/" + Self.insert(asset.hash, into: path)
            entries[permanent] = Entry(asset: asset, isPermanent: true)
            entries[prefix + "/" + path] = Entry(asset: asset, isPermanent: false)
            if !path.contains("/") { entries["/" + path] = Entry(asset: asset, isPermanent: false) }
            urls[path] = permanent
        }
    }

    /// The permanent address of a file, for pages: `css/app.css` gives `/static/css/app.HASH.css`.
    package func url(for path: String) -> String? { urls[path] }

    /// Every file by its path in the folder with its permanent address, in order.
    package var catalogue: [(path: String, url: String)] { urls.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// The answer, if the request names a file: whole, compressed, a range, 304, or 405.
    package func response(to head: RequestHead) -> Response? {
        guard let entry = entries[head.target] ?? entries["/" + head.segments.joined(separator: "/")] else {
            return nil
        }
        guard head.method == .get || head.method == .head else {
            var headers = self.headers
            headers.append(.allow, "GET, HEAD")
            return Response(.methodNotAllowed, headers: headers)
        }
        return entry.asset.response(to: head, isPermanent: entry.isPermanent)
    }

    /// `app.css` becomes `app.HASH.css`.
    private static func insert(_ hash: String, into path: String) -> String {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[start...].lastIndex(of: ".") else { return path + "." + hash }
        return path[..<dot] + "." + hash + path[dot...]
    }

    private static func files(in root: String, under folder: String = "") throws(Unreadable) -> [String] {
        guard let names = FolderListing.names(in: root + "/" + folder) else { throw Unreadable(path: root) }
        var files: [String] = []
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = folder + name
            switch FolderListing.kind(of: root + "/" + path) {
            case .file: files.append(path)
            case .folder: files += try self.files(in: root, under: path + "/")
            case .other: break
            }
        }
        return files
    }
}
