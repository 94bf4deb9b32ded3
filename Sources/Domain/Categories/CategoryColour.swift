/// The colours of categories: names of design tokens, used as CSS classes (`colour-green`).
package enum CategoryColour: String, Sendable, CaseIterable, Codable {
    case green, lime, blue, sky, amber, orange, brown, red, rose, pink, violet, indigo, teal, slate
}
