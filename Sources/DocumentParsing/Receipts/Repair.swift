import Domain

/// Why a value differs from the print as the engine read it.
package struct Repair: Sendable, Equatable {
    /// The evidence for the repair; the raw values are stable.
    package enum Reason: String, Sendable {
        /// The only reading that makes the lines add up to the total.
        case sum
        /// Quantity × unit price.
        case product
        /// The only reading that satisfies the tax table.
        case taxTable = "tax_table"
        /// Payments less change.
        case payment
        /// A rereading of the same place.
        case reread
    }

    /// What the engine read.
    package var printed: String
    /// The repaired value.
    package var value: String
    package var reason: Reason

    /// Returns a description such as `1,16 statt 116: Summe`.
    package func text(_ language: Language) -> String {
        switch language {
        case .german: "\(value) statt \(printed): \(label(language))"
        case .english: "\(value) instead of \(printed): \(label(language))"
        }
    }

    private func label(_ language: Language) -> String {
        switch (reason, language) {
        case (.sum, .german): "Summe"
        case (.sum, .english): "sum"
        case (.product, .german): "Menge × Einzelpreis"
        case (.product, .english): "quantity × unit price"
        case (.taxTable, .german): "Steuertabelle"
        case (.taxTable, .english): "tax table"
        case (.payment, .german): "Zahlung"
        case (.payment, .english): "payment"
        case (.reread, .german): "erneutes Lesen"
        case (.reread, .english): "second reading"
        }
    }
}
