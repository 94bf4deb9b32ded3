import Foundation

/// The files of the checkout from which these tests were built.
enum Project {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// Returns the sorted paths below `folder`, relative to the root; empty if the folder does not exist.
    static func files(in folder: String, ending: String...) -> [String] { files(in: folder, ending: ending) }

    static func files(in folder: String, ending: [String]) -> [String] {
        let foundPaths = FileManager.default.subpaths(atPath: root.appending(path: folder).path) ?? []
        return foundPaths.filter { path in ending.contains { path.hasSuffix($0) } }.map { "\(folder)/\($0)" }
            .filter { !isFolder($0) }.sorted()
    }

    private static func isFolder(_ path: String) -> Bool {
        (try? root.appending(path: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }

    static func isExecutable(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: root.appending(path: path).path)
    }

    static func sourceTargets() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)
    }
}
