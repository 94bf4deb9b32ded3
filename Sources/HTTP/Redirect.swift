/// Redirect targets that come from a request.
package enum Redirect {
    /// The candidate if it surely stays on this site, else `/`.
    ///
    /// It must be an absolute path in visible ASCII. Browsers read `//host` and `/\host` as another site and drop tabs
    /// and line ends, so none of these may be in it, encoded or not.
    package static func ownPath(_ candidate: String?) -> String {
        guard let candidate, isOwn(candidate), let decoded = PercentCoding.decode(candidate.utf8),
            isOwn(decoded, decoded: true)
        else { return "/" }
        return candidate
    }

    private static func isOwn(_ path: String, decoded: Bool = false) -> Bool {
        let bytes = path.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/"), bytes.count <= 2048 else {
            return false
        }
        return bytes.allSatisfy { $0 >= (decoded ? 32 : 33) && $0 != 127 && $0 != 92 && (decoded || $0 < 127) }
    }
}
