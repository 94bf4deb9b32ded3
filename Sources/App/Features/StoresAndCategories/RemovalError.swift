/// The reason why a store or a category could not be removed.
enum RemovalError: Error {
    /// Receipts, prices, products or subcategories refer to it.
    case inUse
    /// The category of deposits cannot be merged into another built-in category.
    case booksDeposits
}
