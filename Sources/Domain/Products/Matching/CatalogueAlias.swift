/// A printed name of a product.
package struct CatalogueAlias: Hashable, Sendable {
    package let chain: ChainID
    package let printedName: String

    package init(chain: ChainID, printedName: String) {
        self.chain = chain
        self.printedName = printedName
    }
}
