/// A place in a template or a text catalogue; line and column count from 1, the column in Unicode scalars.
package struct Location: Hashable, Sendable, CustomStringConvertible {
    /// As it was opened, so that an editor finds it from the message.
    package let file: String
    /// From 1.
    package let line: Int
    /// From 1, in Unicode scalars.
    package let column: Int

    package var description: String { "\(file):\(line):\(column)" }
}

/// Everything that is wrong with one page, template or catalogue, each with its place.
package struct TemplateError: Error, Equatable, CustomStringConvertible {
    /// One thing that is wrong.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// Where to mend it.
        package let location: Location
        /// A half sentence without a full stop, for the person who writes templates.
        package let message: String

        package var description: String { "\(location): error: \(message)" }
    }

    /// In the order in which they were found, each once.
    package private(set) var problems: [Problem] = []

    init() {}

    init(_ message: String, at location: Location) {
        add(message, at: location)
    }

    /// The same problem is found once per language; it is told once.
    mutating func add(_ message: String, at location: Location) {
        let problem = Problem(location: location, message: message)
        if !problems.contains(problem) { problems.append(problem) }
    }

    mutating func add(_ other: TemplateError) {
        for problem in other.problems { add(problem.message, at: problem.location) }
    }

    /// One line a problem: `receipts/index.html:12:5: error: …`.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
