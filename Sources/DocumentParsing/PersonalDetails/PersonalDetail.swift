import Recognition

/// Print that tells who paid, not what was bought: it is left out of what is kept and covered on the pictures.
package struct PersonalDetail: Sendable, Equatable {
    /// What kind it is, those known by figures first; the raw value is the key of its key words in the facts file.
    package enum Kind: String, Sendable, CaseIterable {
        /// Numbers of customer and bonus cards.
        case loyalty = "personal_loyalty"
        /// Numbers of bank cards, masked or not.
        case card = "personal_card"
        /// IBAN, account, mandate.
        case account = "personal_account"
        /// What a card terminal prints of itself and of the payment: references that lead to the payer.
        case terminal = "personal_terminal"
        /// Who sat at the till.
        case cashier = "personal_cashier"
        /// Whose card it was, who the customer is.
        case holder = "personal_holder"

        /// Whether letters are personal too, or only figures.
        var isName: Bool { self == .cashier || self == .holder }
    }

    /// What it tells of the person.
    package var kind: Kind
    /// Counted over all files of the document, from 0.
    package var page: Int
    /// In pixels of the reading picture.
    package var box: PixelBox
}
