/// The source of a price. The raw value is stored.
package enum PriceSource: String, Sendable, CaseIterable, Codable {
    case receipt, manual, `import`
}
