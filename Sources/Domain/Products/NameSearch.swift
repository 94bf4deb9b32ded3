/// Search over a household's names that forgives typos: held in memory, ranked, quick for tens of thousands of names.
///
/// Every word of the query has to be found: as a whole word, as its beginning, inside a word (`milch` in
/// `Buttermilch`), or with one slip from four letters on, two from eight on.
package struct NameSearch<ID: Hashable & Sendable>: Sendable {
    /// One thing that was found.
    package struct Hit: Sendable {
        /// Each thing once, by its best name.
        package let id: ID
        /// 0…1; only the order means something.
        package let score: Double
    }

    private var ids: [ID] = []
    private var index = NameIndex()

    /// - Parameter names: what is found, with the names under which it is found; one thing may appear more than once.
    package init(_ names: some Sequence<(id: ID, name: String)>) {
        for (id, name) in names {
            ids.append(id)
            index.append(name)
        }
    }

    /// The best `limit` things, best first; equal ones in the order in which those names were given.
    ///
    /// An empty query finds nothing. Eight words of it count.
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
