/// The characters that the outputs of a network represent, reduced to the characters of European print.
///
/// The original network reads 18,708 characters, most of them Chinese; `bin/parts/second-engine/trim.py` removes the
/// outputs that are not used here. With the original network, outputs of other scripts are ignored. Characters that
/// look alike (a fullwidth comma and a comma, a dash and a hyphen) count as one, with the sum of their probabilities.
struct NetworkAlphabet: Sendable {
    /// The character of each number. Number 0 is the blank of CTC, which means no new character.
    let characters: [Unicode.Scalar]
    /// The number of the character for each output that is used.
    let outputs: [(output: Int, number: Int)]
    /// The number of the network's outputs.
    let outputCount: Int
    /// The number of each character.
    private let numbers: [Unicode.Scalar: Int]

    /// - Parameter list: the characters in the model's metadata, one per line. It lacks the blank, which is output 0,
    ///   and the space, which is the last output.
    /// - Returns: nil if the list lacks a digit.
    init?(list: String) {
        // Lines end with U+000A only: the list contains other characters that Unicode defines as line ends.
        let lines = list.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        outputCount = lines.count + 2
        var characters: [Unicode.Scalar] = ["\u{0}"]
        var outputs = [(output: 0, number: 0)]
        var numbers: [Unicode.Scalar: Int] = [:]
        for (index, scalar) in (lines.map { $0.count == 1 ? $0.first : nil } + [" "]).enumerated() {
            guard let scalar, let known = Self.european(scalar) else { continue }
            let number = numbers[known] ?? characters.count
            if number == characters.count { characters.append(known) }
            numbers[known] = number
            outputs.append((index + 1, number))
        }
        guard ("0"..."9").scalars.allSatisfy({ numbers[$0] != nil }) else { return nil }
        (self.characters, self.outputs, self.numbers) = (characters, outputs, numbers)
    }

    func number(of character: Unicode.Scalar) -> Int? { numbers[character] }

    /// The European character that replaces a character of the network's list; nil for other scripts.
    private static func european(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x20...0x7E, 0xA1...0x17F: scalar
        // Romanian s and t with comma below.
        case 0x218...0x21B: scalar
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
        case 0x2010...0x2015, 0x2212: "-"
        case 0x2018, 0x2019, 0x2032: "'"
        case 0x201C, 0x201D, 0x2033: "\""
        case 0x2022, 0x2219, 0x22C5: "·"
        case 0x204E, 0x2217: "*"
        case 0x20AC, 0x2122: scalar
        case 0x3000: " "
        case 0x3001: ","
        case 0x3002: "."
        default: nil
        }
    }
}

extension ClosedRange<Unicode.Scalar> {
    fileprivate var scalars: [Unicode.Scalar] {
        (lowerBound.value...upperBound.value).compactMap(Unicode.Scalar.init)
    }
}
