/// A receipt line whose name is to be matched.
package struct PrintedItem: Sendable {
    /// As printed, or as corrected by a person.
    package let name: String
    /// Names are matched to products separately for each chain.
    package let chain: ChainID
    /// The price of one package.
    package let price: Money?
    /// A weighed quantity is used as the package size if the name has none.
    package let quantity: Quantity?

    package init(name: String, chain: ChainID, price: Money? = nil, quantity: Quantity? = nil) {
        self.name = name
        self.chain = chain
        self.price = price
        self.quantity = quantity
    }
}
