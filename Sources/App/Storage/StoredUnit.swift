import Domain
import Postgres

/// The units that columns can contain: only base units, so that quantities can be added.
enum StoredUnit: String, Sendable, CaseIterable, PostgresConvertible {
    case piece
    case kilogram = "kg"
    case litre = "l"
    case metre = "m"

    /// Returns the base unit of a mass, volume or length; other units are stored as pieces.
    init(_ unit: MeasureUnit) {
        switch unit.base {
        case .kilogram: self = .kilogram
        case .litre: self = .litre
        case .metre: self = .metre
        default: self = .piece
        }
    }

    /// The same unit as a `MeasureUnit`.
    var unit: MeasureUnit {
        switch self {
        case .piece: .piece
        case .kilogram: .kilogram
        case .litre: .litre
        case .metre: .metre
        }
    }
}

extension Quantity {
    /// The quantity in thousandths of the stored unit: 250 g is 250 thousandths of a kilogram.
    var stored: (thousandths: Int64, unit: StoredUnit) {
        let unit = StoredUnit(unit)
        guard unit != .piece, let converted = try? converted(to: unit.unit) else { return (thousandths, unit) }
        return (converted.thousandths, unit)
    }
}
