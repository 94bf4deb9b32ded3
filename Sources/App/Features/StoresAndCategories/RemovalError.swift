/// The reason why a store or a category could not be removed.
enum RemovalError: Error {
    /// Other documents, such as receipts, products or budgets, refer to the store or category.
    case inUse
    /// The category is the category of deposits. It cannot be merged into another built-in category.
    case isDepositCategory
}
