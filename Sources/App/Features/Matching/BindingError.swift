import Domain

/// Why a name was not bound.
enum BindingError: Error {
    /// The name was bound or ignored before.
    case alreadyDone(printedName: String)
    /// The chosen product was merged into another.
    case productGone
    /// The chain has a product with that name.
    case nameTaken(ProductID)
}
