import Recognition
import Testing

@testable import OCRCore

/// Replacement of the first engine's names by the second engine's names.
@Suite(.timeLimit(.minutes(15))) struct MergedNamesTests {
    /// Words with their x positions. A character is ten pixels wide.
    private static func words(_ texts: [(String, Int)], confidence: Int = 90) -> [RecognizedWord] {
        texts.map { text, x in
            RecognizedWord(
                text: text, box: PixelBox(x: x, y: 0, width: text.count * 10, height: 20), confidence: confidence)
        }
    }

    private static let firstEngineWords = words([("STOOMMAALTJ", 0), ("6,59", 300), ("B", 360)], confidence: 60)

    @Test func `takes a name with its spaces from the second engine, but not figures`() {
        let secondWords = Self.words([("STOOM", 0), ("MAALT", 58), ("6,69", 300), ("B", 360)])
        let merged = Self.firstEngineWords.withNames(of: secondWords)
        #expect(merged.map(\.text) == ["STOOM", "MAALT", "6,59", "B"])
        #expect(merged.map(\.confidence) == [90, 90, 60, 90])
    }

    @Test func `does not take an uncertain name`() {
        let secondWords = Self.words([("STOOM", 0), ("MAALT", 58)], confidence: 40)
        #expect(Self.firstEngineWords.withNames(of: secondWords) == Self.firstEngineWords)
    }

    @Test func `does not take a name that covers only part of the ink, has digits or has no letters`() {
        for texts in [[("STO", 0)], [("ST00MMAALTJ", 0)], [("-----------", 0)], []] {
            #expect(
                Self.firstEngineWords.withNames(of: Self.words(texts)).map(\.text) == Self.firstEngineWords.map(\.text))
        }
    }

    @Test func `does not take a word that overlaps a figure`() {
        let secondWords = Self.words([("STOOMMAALTJ", 0), ("EB", 335)])
        #expect(Self.firstEngineWords.withNames(of: secondWords).map(\.text) == ["STOOMMAALTJ", "6,59", "B"])
    }
}
