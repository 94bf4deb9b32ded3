import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct DivisionTests {
    @Test(
        arguments: [
            (1_000, [1, 1, 1], [334, 333, 333]), (-1_000, [1, 1, 1], [-334, -333, -333]), (100, [3, 1], [75, 25]),
            (1, [1, 1], [1, 0]), (0, [1, 2], [0, 0]), (5, [0, 0], [3, 2]), (10, [], []), (100, [0, 1], [0, 100]),
        ] as [(Int64, [Int64], [Int64])])
    func `divides an amount in proportion to the weights`(amount: Int64, weights: [Int64], parts: [Int64]) {
        #expect(Division.parts(of: amount, weights: weights) == parts)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `the parts add up to the amount, and each is off by less than one minor unit`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let amount = Int64.random(in: -100_000_000_000...100_000_000_000, using: &random)
            let weights = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                Int64.random(in: 0...100_000_000_000, using: &random)
            }
            let parts = Division.parts(of: amount, weights: weights)
            #expect(parts.reduce(0, +) == amount)
            let sum = weights.reduce(Int128(0)) { $0 + Int128($1) }
            guard sum > 0 else { continue }
            for (part, weight) in zip(parts, weights) {
                // |part - amount × weight / sum| < 1
                let difference = Int128(part) * sum - Int128(amount) * Int128(weight)
                #expect(abs(difference) < sum)
            }
        }
    }
}
