/// A ranked search in a household's names that tolerates typing errors. It works in memory, for tens of thousands of
/// names.
///
/// A name must match every word of the query: as a whole word, as the beginning of a word, or inside a word (`milch` in
/// `Buttermilch`). Words of four letters or more may have one error, of eight or more two errors.
package struct NameSearch<ID: Hashable & Sendable>: Sendable {
    /// A search result.
    package struct Hit: Sendable {
        /// The identifier, unique among the results.
        package let id: ID
        /// 0…1, for ordering only.
        package let score: Double
    }

    private var ids: [ID] = []
    private var index = NameIndex()

    /// - Parameter names: identifiers with their names. An identifier may have several names.
    package init(_ names: some Sequence<(id: ID, name: String)>) {
        for (id, name) in names {
            ids.append(id)
            index.append(name)
        }
    }

    /// The best `limit` results, best first; equal scores in the order of the names.
    ///
    /// An empty query has no results. Only the first eight words of a query are used.
    package func find(_ query: some StringProtocol, limit: Int = 20) -> [Hit] {
        var seen: Set<ID> = []
        var hits: [Hit] = []
        for name in index.find(query) {
            guard hits.count < limit else { break }
            if seen.insert(ids[name.position]).inserted { hits.append(Hit(id: ids[name.position], score: name.score)) }
        }
        return hits
    }
}
