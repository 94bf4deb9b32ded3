/// A position in a template or a file of texts.
package struct Location: Hashable, Sendable, CustomStringConvertible {
    /// The path as it was opened, so that editors find it.
    package let file: String
    /// The line, counted from 1.
    package let line: Int
    /// The column in Unicode scalars, counted from 1.
    package let column: Int

    package var description: String { "\(file):\(line):\(column)" }
}

/// All errors in a page, template or file of texts, with their positions.
package struct TemplateError: Error, Equatable, CustomStringConvertible {
    /// One error.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The position of the error.
        package let location: Location
        /// A phrase without full stop, for the author of the template.
        package let message: String

        package var description: String { "\(location): error: \(message)" }
    }

    /// The errors in the order found, without duplicates.
    package private(set) var problems: [Problem] = []

    init() {}

    init(_ message: String, at location: Location) {
        add(message, at: location)
    }

    /// Adds an error, unless it was added before: the same error is found in every language.
    mutating func add(_ message: String, at location: Location) {
        let problem = Problem(location: location, message: message)
        if !problems.contains(problem) { problems.append(problem) }
    }

    mutating func add(_ other: TemplateError) {
        for problem in other.problems { add(problem.message, at: problem.location) }
    }

    /// One line per problem: `receipts/index.html:12:5: error: …`.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
