/// The files of a folder, indexed once at start and served by name.
///
/// A request only looks up a name in the index; no path is built from data of the client. Every file has two addresses:
/// `/static/css/app.HASH.css`, whose content never changes and is cached for a year, and `/static/css/app.css`, which
/// is revalidated. Files at the top of the folder also have the address `/name` (favicon, service worker, manifest).
/// Symbolic links and names that begin with a dot are ignored.
package struct StaticFiles: Sendable {
    /// A folder or file that cannot be read.
    package struct Unreadable: Error, CustomStringConvertible {
        /// The path, which is logged at start.
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

    /// Reads, hashes and compresses all files of the folder.
    ///
    /// - Parameters:
    ///   - root: the folder. Its path may contain symbolic links.
    ///   - prefix: the beginning of all addresses, without a slash at its end.
    ///   - headers: added to every answer.
    /// - Throws: `Unreadable` for the first folder or file that cannot be read.
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

    /// Returns the permanent address of a file: `/static/css/app.HASH.css` for `css/app.css`.
    package func url(for path: String) -> String? { urls[path] }

    /// All files with their permanent addresses, sorted by path.
    package var list: [(path: String, url: String)] { urls.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// Returns the answer if the request names a file: the whole file, compressed if accepted, a range, 304, 405, 412
    /// or 416. Returns nil for other requests.
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
        guard let names = StaticFolder.names(in: root + "/" + folder) else {
            throw Unreadable(path: folder.isEmpty ? root : root + "/" + folder)
        }
        var files: [String] = []
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = folder + name
            switch StaticFolder.entryType(of: root + "/" + path) {
            case .file: files.append(path)
            case .folder: files += try self.files(in: root, under: path + "/")
            case .other: break
            }
        }
        return files
    }
}
