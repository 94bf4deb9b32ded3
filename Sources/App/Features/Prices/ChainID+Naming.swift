import Domain

extension ChainID {
    /// The domain's identifier for a chain: two FNV-1a hashes of the chain's key. Equal keys have equal identifiers.
    init(naming text: String) {
        func hash(_ start: UInt64) -> UInt64 {
            text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
        self.init(high: hash(0xCBF2_9CE4_8422_2325), low: hash(0x8422_2325_CBF2_9CE4))
    }
}
