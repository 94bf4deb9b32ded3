import COnnxRuntime
import CTesseract
import Glibc
import Recognition

/// The second engine: a network that recognises the text of a line, run by ONNX Runtime on one thread. Not thread-safe.
///
/// The network is the recogniser of PP-OCRv6 (Apache-2.0). It is independent of Tesseract, so it makes other mistakes.
package final class NeuralEngine {
    /// The height of a line in the network's input, in pixels.
    static let height = 48
    /// The width of a step of the output, in columns of the input.
    static let pixelsPerStep = 8
    /// The maximum width of the input in pixels. The end of a longer line is not read.
    static let maximumWidth = 2_400
    private let network: OpaquePointer
    private let alphabet: NetworkAlphabet

    /// The reason why the engine is not available.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The file name of the library in the engine's folder.
    static let libraryFile = "libonnxruntime.so"
    /// The file name of the model in the engine's folder.
    static let modelFile = "recogniser.onnx"

    /// Loads the library and the model from a folder. The files are not needed afterwards.
    package init(folder: String) throws(Failure) {
        var message = [CChar](repeating: 0, count: 400)
        guard
            let network = onnx_open(
                "\(folder)/\(Self.libraryFile)", "\(folder)/\(Self.modelFile)", &message, message.count)
        else {
            let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw Failure(description: String(decoding: text, as: UTF8.self))
        }
        let list = onnx_metadata(network, "character")
        defer { free(list) }
        guard let list, let alphabet = NetworkAlphabet(list: String(cString: list)) else {
            onnx_close(network)
            throw Failure(description: "\(folder)/\(Self.modelFile) has no list of characters in its metadata")
        }
        self.network = network
        self.alphabet = alphabet
    }

    deinit { onnx_close(network) }

    /// The version of ONNX Runtime.
    package var version: String { onnx_version(network).map { String(cString: $0) } ?? "" }

    /// The network's output for a grey strip with one line of text; nil on failure.
    func lattice(of strip: Raster) -> CharacterLattice? {
        let scaled = strip.scaled(by: Float(Self.height) / Float(strip.height))
        let step = Self.pixelsPerStep
        let width = min(Self.maximumWidth, (scaled.width + step - 1) / step * step)
        guard let input = Self.input(scaled, width: width) else { return nil }
        var shape = [Int64](repeating: 0, count: 3)
        let size = [1, 3, Int64(Self.height), Int64(width)]
        guard let output = onnx_run(network, input, size, &shape), shape[0] == 1, shape[2] == alphabet.outputCount,
            (1...Int64(width)).contains(shape[1])
        else { return nil }
        return CharacterLattice(alphabet: alphabet, stepCount: Int(shape[1]), probabilities: output)
    }

    /// The network's input: the picture as red, green and blue plane, each with brightness from −1 (black) to 1
    /// (white). The area beyond the picture is white.
    private static func input(_ picture: Raster, width: Int) -> [Float]? {
        let plane = height * width
        let (columns, rows) = (min(width, picture.width), min(height, picture.height))
        return picture.withBytes { bytes, stride in
            var input = [Float](repeating: 1, count: 3 * plane)
            for y in 0..<rows {
                for x in 0..<columns {
                    let value = min(1, Float(bytes[y * stride + x]) / (Float(paper) / 2) - 1)
                    for channel in 0..<3 { input[channel * plane + y * width + x] = value }
                }
            }
            return input
        }
    }

    /// The brightness of paper on cleaned pictures. Brighter pixels become white.
    private static let paper = 235
}
