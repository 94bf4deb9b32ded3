import HTTP

extension RequestHead {
    /// The text of a query parameter without surrounding white space, cut to `limit` code points; empty if the
    /// parameter is missing.
    func queryText(_ name: String, limit: Int) -> String { (self.query(name) ?? "").trimmed.cut(to: limit) }
}
