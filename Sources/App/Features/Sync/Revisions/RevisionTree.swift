import JSON

/// The known revisions of one document.
struct RevisionTree: Sendable {
    struct Node: Sendable {
        let parent: RevisionID?
        let isDeleted: Bool
        /// The document; nil for a deletion, or if only the identifier of the revision is stored.
        let body: JSONObject?
        /// The start of the transaction that stored the revision, in microseconds since 1970; nil if this is not known.
        var storedAt: Int64?
    }

    private(set) var nodes: [RevisionID: Node] = [:]

    init(_ nodes: [RevisionID: Node] = [:]) { self.nodes = nodes }

    subscript(revision: RevisionID) -> Node? { nodes[revision] }

    /// The revisions without a child: documents before deletions, then higher revisions before lower revisions. The
    /// first is the winner.
    var leaves: [RevisionID] {
        let parents = Set(nodes.values.compactMap(\.parent))
        return nodes.keys.filter { !parents.contains($0) }.sorted { isBefore($0, $1) }
    }

    var winner: RevisionID? { leaves.first }

    /// Whether `left` wins against `right`.
    func isBefore(_ left: RevisionID, _ right: RevisionID) -> Bool {
        let (leftIsDeleted, rightIsDeleted) = (nodes[left]?.isDeleted ?? false, nodes[right]?.isDeleted ?? false)
        if leftIsDeleted != rightIsDeleted { return rightIsDeleted }
        return left > right
    }

    /// Adds a revision and those of its ancestors that are not known yet.
    ///
    /// - Parameters:
    ///   - ancestors: the parent first. The list may end before the first revision of the document.
    /// - Returns: the added revisions with their parents. `revision` is first, then its ancestors. Empty if the
    ///   revision was already known.
    @discardableResult
    mutating func add(
        _ revision: RevisionID, _ node: (isDeleted: Bool, body: JSONObject?), ancestors: [RevisionID]
    ) -> [(revision: RevisionID, parent: RevisionID?)] {
        guard nodes[revision] == nil else { return [] }
        var added: [(RevisionID, RevisionID?)] = [(revision, ancestors.first)]
        nodes[revision] = Node(parent: ancestors.first, isDeleted: node.isDeleted, body: node.body)
        for (index, ancestor) in ancestors.enumerated() {
            guard nodes[ancestor] == nil else { break }
            let parent = index + 1 < ancestors.count ? ancestors[index + 1] : nil
            nodes[ancestor] = Node(parent: parent, isDeleted: false, body: nil)
            added.append((ancestor, parent))
        }
        return added
    }

    /// Returns the revision and its known ancestors, newest first.
    func path(from revision: RevisionID) -> [RevisionID] {
        var path: [RevisionID] = []
        var current: RevisionID? = revision
        while let next = current, nodes[next] != nil, path.count < 10_000 {
            path.append(next)
            current = nodes[next]?.parent
        }
        return path
    }

    /// Returns the newest common ancestor that has a body.
    ///
    /// - Parameter ended: revisions that count as ancestors of `left`.
    func base(of left: RevisionID, and right: RevisionID, ended: Set<RevisionID> = []) -> RevisionID? {
        let others = ended.union(path(from: left))
        return path(from: right).first { others.contains($0) && nodes[$0]?.body != nil }
    }

    /// Whether the transaction that stored `revision` also created `descendant` and all revisions between the two, and
    /// merged no other branch.
    func isCompletion(_ descendant: RevisionID, of revision: RevisionID) -> Bool {
        guard let time = nodes[revision]?.storedAt else { return false }
        let line = path(from: descendant)
        guard let end = line.firstIndex(of: revision) else { return false }
        let together = Set(nodes.filter { $0.value.storedAt == time }.keys)
        // A transaction that merges another branch also stores a revision of that branch. A transaction that makes the
        // document private also stores a deletion for other members, but the parent of this deletion is in `line`.
        let isUnmerged = together.subtracting(line).allSatisfy { other in
            guard let node = nodes[other], node.isDeleted, let parent = node.parent else { return false }
            return line.contains(parent)
        }
        return line[..<end].allSatisfy(together.contains) && isUnmerged
    }

    /// Whether `ancestor` is `revision` or one of its ancestors.
    func contains(_ ancestor: RevisionID, above revision: RevisionID) -> Bool {
        path(from: revision).contains(ancestor)
    }
}
