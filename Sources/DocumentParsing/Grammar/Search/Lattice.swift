import Domain

/// All readings of the lines as a graph. A node is a place between two lines together with the sum of the amounts
/// above it; an arc is a hypothesis with one value of its amount.
///
/// The graph is built once from top to bottom and keeps only the nodes of each place with
/// the lowest costs.
struct Lattice {
    struct Node: Sendable {
        var sum: Int64
        /// Whether an item is above.
        var isInBody: Bool
        /// The lowest cost of a path from the first line.
        var cost: Int
        /// The last arc of that path; -1 at the first line.
        var arc: Int
    }

    struct Arc: Sendable {
        var from: Int
        var to: Int
        /// The line at which the arc begins, the index of its hypothesis there, and the index of its amount.
        var start: Int
        var hypothesis: Int
        var reading: Int
        var cost: Int
    }

    private(set) var nodes: [Node] = []
    private(set) var arcs: [Arc] = []
    /// Indices of the nodes at each place.
    private(set) var places: [[Int]]
    let hypotheses: [[Hypothesis]]
    /// Maximum number of nodes kept at one place.
    private let width: Int
    /// For each place, the index of each node by its key.
    private var index: [[Key: Int]]

    private struct Key: Hashable {
        var sum: Int64
        var isInBody: Bool
    }

    /// For each place, the lowest cost that the lines below it can have, whatever the sum of the lines above.
    private let remainingCosts: [Int]
    /// Maximum cost of a reading; paths that cost more are dropped.
    private let bound: Int

    /// - Parameters:
    ///   - ends: for each place, the lowest cost if the items end there; `unreachableCost` where they cannot end.
    ///   - bound: the cost of the best reading found so far.
    init(_ hypotheses: [[Hypothesis]], view: LineView, ends: [Int], width: Int, bound: Int) {
        self.hypotheses = hypotheses
        self.width = width
        self.bound = bound
        remainingCosts = Self.remainingCosts(hypotheses, ends: ends)
        let count = hypotheses.count
        places = Array(repeating: [], count: count + 1)
        index = Array(repeating: [:], count: count + 1)
        nodes.append(Node(sum: 0, isInBody: false, cost: 0, arc: -1))
        places[0] = [0]
        for place in 0..<count {
            prune(place)
            for node in places[place] { expand(node, at: place, view) }
        }
        prune(count)
    }

    /// The cost of a place where the items cannot end.
    static let unreachableCost = 1_000_000

    private static func remainingCosts(_ hypotheses: [[Hypothesis]], ends: [Int]) -> [Int] {
        var rest = ends
        for place in hypotheses.indices.reversed() {
            for hypothesis in hypotheses[place] where rest[hypothesis.end] < unreachableCost {
                let amount = hypothesis.isItem ? hypothesis.amounts.map(\.cost).min() ?? unreachableCost : 0
                let subtotal = hypothesis.pattern == .subtotal ? Costs.subtotalHolds : 0
                // Lines without an amount above the first item cost nothing.
                let own = hypothesis.isItem || subtotal != 0 ? hypothesis.cost : min(0, hypothesis.cost)
                rest[place] = min(rest[place], own + amount + subtotal + rest[hypothesis.end])
            }
        }
        return rest
    }

    /// Removes the nodes of a place that cannot lead to a reading within `bound`, and all but the `width` with the
    /// lowest costs.
    private mutating func prune(_ place: Int) {
        index[place] = [:]
        let remaining = remainingCosts[place]
        places[place].removeAll { nodes[$0].cost + remaining > bound }
        guard places[place].count > width else { return }
        places[place].sort { (nodes[$0].cost, $0) < (nodes[$1].cost, $1) }
        places[place].removeLast(places[place].count - width)
    }

    /// Adds an arc from the node for each hypothesis that begins at the place and each of its amounts.
    private mutating func expand(_ from: Int, at place: Int, _ view: LineView) {
        let node = nodes[from]
        for (number, hypothesis) in hypotheses[place].enumerated() {
            if hypothesis.isItem {
                for (reading, amount) in hypothesis.amounts.enumerated() where amount.cost <= Costs.ceiling {
                    add(
                        Arc(
                            from: from, to: 0, start: place, hypothesis: number, reading: reading,
                            cost: hypothesis.cost + amount.cost), sum: node.sum + amount.value, isInBody: true,
                        at: hypothesis.end)
                }
            } else {
                var cost = hypothesis.cost
                if !node.isInBody, view.lines[place].price == nil { cost = 0 }
                if hypothesis.pattern == .subtotal {
                    guard node.isInBody, let printed = hypothesis.amounts.first?.value else { continue }
                    cost += printed == node.sum ? Costs.subtotalHolds : Costs.subtotalFails
                }
                add(
                    Arc(from: from, to: 0, start: place, hypothesis: number, reading: 0, cost: cost), sum: node.sum,
                    isInBody: node.isInBody, at: hypothesis.end)
            }
        }
    }

    /// Adds an arc, and its end as a node unless a node with the same sum exists there.
    private mutating func add(_ arc: Arc, sum: Int64, isInBody: Bool, at place: Int) {
        var arc = arc
        let cost = nodes[arc.from].cost + arc.cost
        let key = Key(sum: sum, isInBody: isInBody)
        if let known = index[place][key] {
            arc.to = known
            if cost < nodes[known].cost {
                nodes[known].cost = cost
                nodes[known].arc = arcs.count
            }
        } else {
            arc.to = nodes.count
            index[place][key] = nodes.count
            places[place].append(nodes.count)
            nodes.append(Node(sum: sum, isInBody: isInBody, cost: cost, arc: arcs.count))
        }
        arcs.append(arc)
    }

    // MARK: Readings

    /// The arcs of the path to a node with the lowest cost, in order.
    func path(to node: Int) -> [Arc] {
        var path: [Arc] = []
        var arc = nodes[node].arc
        while arc >= 0 {
            path.append(arcs[arc])
            arc = nodes[arcs[arc].from].arc
        }
        return path.reversed()
    }

    /// Lines that a second path to the same sum reads differently: with another amount, or without an amount.
    ///
    /// - Parameter maximumDifference: how much more the second path may cost.
    func doubtful(_ path: [Arc], to node: Int, maximumDifference: Int) -> Set<Int> {
        // For each node, the lowest cost of a path from it to the last node.
        var rest = [Int](repeating: Lattice.unreachableCost, count: nodes.count)
        rest[node] = 0
        for arc in arcs.reversed() where rest[arc.to] < Lattice.unreachableCost {
            rest[arc.from] = min(rest[arc.from], rest[arc.to] + arc.cost)
        }
        var values: [Int: Int64] = [:]
        for arc in path {
            if let line = hypothesis(arc).priceLine, let amount = amount(arc) { values[line] = amount.value }
        }
        let bound = nodes[node].cost + maximumDifference
        var found: Set<Int> = []
        for arc in arcs
        where rest[arc.to] < Lattice.unreachableCost && nodes[arc.from].cost + arc.cost + rest[arc.to] <= bound {
            let hypothesis = hypothesis(arc)
            for line in hypothesis.start..<hypothesis.end {
                guard let value = values[line] else { continue }
                if hypothesis.priceLine != line || amount(arc)?.value != value { found.insert(line) }
            }
        }
        return found
    }

    func hypothesis(_ arc: Arc) -> Hypothesis { hypotheses[arc.start][arc.hypothesis] }

    func amount(_ arc: Arc) -> AmountReading? { hypothesis(arc).amounts[safe: arc.reading] }
}
