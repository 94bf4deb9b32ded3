import Glibc

/// A network's output for a strip: the probability of every character at each step along the line.
///
/// The network is trained for connectionist temporal classification (CTC; A. Graves and others, 2006): a character is
/// printed where its probability is high in one or more successive steps. Two equal characters are separated by a step
/// of blank.
struct CharacterLattice: Sendable {
    let alphabet: NetworkAlphabet
    /// The number of steps from left to right. Each is `NeuralEngine.pixelsPerStep` wide.
    let stepCount: Int
    /// The logarithms of the probabilities: for each step, one for every character of the alphabet.
    private let logarithms: [Float]

    /// - Parameter probabilities: `stepCount` × `alphabet.outputCount` values.
    init(alphabet: NetworkAlphabet, stepCount: Int, probabilities: UnsafePointer<Float>) {
        self.alphabet = alphabet
        self.stepCount = stepCount
        let size = alphabet.characters.count
        var sums = [Float](repeating: 0, count: stepCount * size)
        for step in 0..<stepCount {
            let row = probabilities + step * alphabet.outputCount
            for (output, number) in alphabet.outputs { sums[step * size + number] += row[output] }
        }
        // A damaged model may return any value. Values that are not probabilities count as 0.
        logarithms = sums.map { $0 > 1e-9 ? min(0, logf($0)) : Self.minimumLogarithm }
    }

    /// The lowest logarithm of a probability. Lower logarithms are raised to it.
    static let minimumLogarithm: Float = -20.8

    /// The logarithm of the probability of a character, or of the blank (number 0).
    func logarithm(_ number: Int, at step: Int) -> Float { logarithms[step * alphabet.characters.count + number] }

    /// The characters whose logarithm is above a bound, without the blank.
    func likely(at step: Int, above bound: Float) -> [Int] {
        let start = step * alphabet.characters.count
        return (1..<alphabet.characters.count).filter { logarithms[start + $0] > bound }
    }

    /// A character of the likeliest path.
    struct Character: Equatable {
        let scalar: Unicode.Scalar
        /// The steps in which this character is the likeliest.
        var steps: Range<Int>
        /// The highest probability of the character in these steps.
        var probability: Float
    }

    /// The characters along the likeliest path, with spaces.
    func likeliestPath() -> [Character] {
        let size = alphabet.characters.count
        var path: [Character] = []
        var last = 0
        for step in 0..<stepCount {
            let row = logarithms[(step * size)..<((step + 1) * size)]
            let best = (row.indices.max { row[$0] < row[$1] } ?? row.startIndex) - row.startIndex
            let probability = expf(logarithm(best, at: step))
            if best != 0 {
                if best == last, let end = path.indices.last {
                    path[end].steps = path[end].steps.lowerBound..<(step + 1)
                    path[end].probability = max(path[end].probability, probability)
                } else {
                    path.append(
                        Character(
                            scalar: alphabet.characters[best], steps: step..<(step + 1), probability: probability))
                }
            }
            last = best
        }
        return path
    }
}
