import Recognition

/// Printed text about the payer or the cashier, not the purchase. It is not stored, and it is covered on the pictures.
package struct PersonalDetail: Sendable, Equatable {
    /// Kinds with figures as values come first. The raw value is the key of their labels in the facts file.
    package enum Kind: String, Sendable, CaseIterable {
        /// Numbers of customer and bonus cards.
        case loyalty = "personal_loyalty"
        /// Numbers of bank cards, masked or not.
        case card = "personal_card"
        /// IBAN, account, mandate.
        case account = "personal_account"
        /// References printed by a card terminal that identify the payer.
        case terminal = "personal_terminal"
        /// Name or number of the cashier.
        case cashier = "personal_cashier"
        /// Name of the card holder or customer.
        case holder = "personal_holder"

        /// Whether letters are personal too, or only figures.
        var isName: Bool { self == .cashier || self == .holder }
    }

    package var kind: Kind
    /// Page number over all files of the document, from 0.
    package var page: Int
    /// In pixels of the reading picture.
    package var box: PixelBox
}
