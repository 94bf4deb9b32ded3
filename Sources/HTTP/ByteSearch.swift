extension Collection<UInt8> {
    /// Has the same result as `firstIndex(of:)`, but searches contiguous storage, which is several times faster for the
    /// bytes of a string.
    func fastFirstIndex(of byte: UInt8) -> Index? {
        let foundIndex = withContiguousStorageIfAvailable { $0.firstIndex(of: byte) }
        guard let foundIndex else { return firstIndex(of: byte) }
        return foundIndex.map { index(startIndex, offsetBy: $0) }
    }
}
