import Foundation
import Recognition
import Testing

@testable import OCRCore

/// The second engine. Tests that need the files of the engine are skipped if the files are missing.
@Suite(.serialized, .timeLimit(.minutes(15))) struct NeuralEngineTests {
    /// The folder of the engine: the configured one, or `var/second-engine`, where `bin/run` puts the files.
    static let folder =
        ProcessInfo.processInfo.environment["ALLESTEURER_SECOND_ENGINE"]
        ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../var/second-engine")
        .path

    static var hasFiles: Bool { FileManager.default.fileExists(atPath: "\(folder)/\(NeuralEngine.modelFile)") }

    private static let receipt = [
        "SUPERMARKT BERGER", "HAUPTSTRASSE 12", "VOLLMILCH 3,5%   1,19 A", "ROGGENBROT   2,49 A",
        "BANANEN LOSE   1,85 A", "BUTTER 250 G   3,29 A", "APFELSAFT KLAR   1,79 B", "SUMME EUR   10,61",
    ]

    @Test(.enabled(if: hasFiles, "The second engine's files are not in var/second-engine"))
    func `each engine reads the words of a line`() throws {
        let second = try NeuralEngine(folder: Self.folder)
        let page = try PageReader(second: second).read(try #require(drawnPicture(Self.receipt))).page
        #expect(page.pass == "lines, two engines" && page.lines.count == Self.receipt.count)
        for (line, printed) in zip(page.lines, Self.receipt) {
            let words = printed.split(separator: " ").map(String.init)
            #expect(line.secondEngineWords.map(\.text) == words)
            for word in line.secondEngineWords {
                #expect(word.costs.count == word.alternatives.count + 1 && word.confidence > 50)
                #expect(word.box.maxX <= page.width && word.box.maxY <= page.height)
                // If the first engine has the same word, its box is at the same position.
                let other = line.words.first { $0.text == word.text }?.box ?? word.box
                #expect(abs(other.x - word.box.x) < 14 && abs(other.maxX - word.box.maxX) < 14, "\(word.text)")
            }
        }
        #expect(page.unreadInk.isEmpty)
    }

    @Test(.enabled(if: hasFiles, "The second engine's files are not in var/second-engine"))
    func `uses only the second engine for a quick reading`() throws {
        let reader = try PageReader(second: try NeuralEngine(folder: Self.folder))
        let picture = try #require(drawnPicture(Self.receipt)?.turned(quarters: 2).jpeg(quality: 90))
        let page = try #require(try reader.read(picture.withUnsafeBytes { [UInt8]($0) }, isQuick: true).first).page
        #expect(
            page.lines.map { $0.secondEngineWords.map(\.text).joined(separator: " ") }.contains("BUTTER 250 G 3,29 A"))
        #expect(page.lines.allSatisfy { $0.words == $0.secondEngineWords })
    }

    @Test(.enabled(if: hasFiles, "The second engine's files are not in var/second-engine"))
    func `reads a strip the same way each time`() throws {
        let second = try NeuralEngine(folder: Self.folder)
        let picture = try #require(drawnPicture(["BUTTER 3,29"]))
        let page = PrintedPage(ReadingPicture(upright: picture))
        let readings = (0..<3).map { _ in
            page.lines.indices.compactMap { page.strip(ofLine: $0, .neural) }.map(second.words)
        }
        #expect(readings[0] == readings[1] && readings[1] == readings[2] && !readings[0].isEmpty)
    }

    @Test(.enabled(if: hasFiles, "The second engine's files are not in var/second-engine"))
    func `rereads a place as an amount or as text, as requested`() throws {
        let reader = try PageReader(second: try NeuralEngine(folder: Self.folder))
        let reading = reader.read(try #require(drawnPicture(Self.receipt)))
        let line = try #require(reading.page.lines.first { $0.words.contains { $0.text == "3,29" } })
        let name = try #require(line.words.first).box
        let amount = try #require(line.words.first { $0.text == "3,29" }).box
        let answers = reader.reread(
            [
                RereadRequest(page: 0, box: amount, alphabet: .amount),
                RereadRequest(page: 0, box: amount, alphabet: .amountAlone),
                RereadRequest(page: 0, box: name, alphabet: .text),
                RereadRequest(page: 0, box: name, alphabet: .amount),
                RereadRequest(page: 0, box: PixelBox(x: 99_999, y: 0, width: 9, height: 9), alphabet: .amount),
            ], on: [reading.picture])
        #expect(
            answers[0].secondEngineReadings.first?.text == "3,29"
                && answers[1].secondEngineReadings.first?.text == "3,29")
        #expect(answers[0].secondEngineReadings.allSatisfy { $0.box == amount && $0.costs.count == 1 })
        #expect(answers[0].secondEngineReadings.allSatisfy { $0.text.contains(/[0-9][,.][0-9]{2}/) })
        #expect(answers[2].secondEngineReadings.map(\.text) == ["BUTTER"])
        // Letters are not an amount.
        #expect(answers[3].secondEngineReadings.isEmpty && answers[4].secondEngineReadings.isEmpty)
    }

    @Test func `names the missing library in the error`() {
        let error = #expect(throws: NeuralEngine.Failure.self) { try NeuralEngine(folder: "/nonexistent") }
        #expect(error?.description.contains("/nonexistent/libonnxruntime.so") == true)
    }

    @Test func `reads a page with the first engine if the second one is missing`() throws {
        let page = try PageReader().read(try #require(drawnPicture(Self.receipt))).page
        #expect(page.pass == "lines" && page.lines.allSatisfy { $0.secondEngineWords.isEmpty && !$0.words.isEmpty })
    }
}
