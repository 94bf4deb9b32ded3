import CTesseract
import Recognition

/// The letters of a picture that shows hardly anything but a printed sheet, and their size.
struct PrintedLetters {
    let picture: Raster
    /// The height of capitals in pixels; nil if there is too little print to measure.
    let capital: Float?

    /// The usual threshold keeps only the darkest parts of thin and pale strokes: letters break into pieces, and their
    /// lines are split. In this case, the threshold is halfway between the brightness of the letters and of the paper.
    ///
    /// - Parameter joined: the largest number of letters that a piece of connected ink may contain.
    init?(_ grey: Raster, joined: Int32) {
        guard let usual = grey.letters(joined: joined) else { return nil }
        if let repaired = grey.repairedLetters(usual, joined: joined) {
            (picture, capital) = (repaired, repaired.capitalHeight(isSplintered: false))
        } else {
            (picture, capital) = (usual, usual.capitalHeight())
        }
    }
}

extension Raster {
    /// The letters of this grey picture with a threshold halfway between them and the paper. Nil unless they are at
    /// least a quarter higher than the letters at the usual threshold. Such a difference means that the usual threshold
    /// breaks letters.
    fileprivate func repairedLetters(_ usual: Raster, joined: Int32) -> Raster? {
        guard let height = usual.usualHeight else { return nil }
        var (repaired, contrast) = (usual, Self.usualContrast)
        // A lower contrast adds paler parts of the strokes, so the letters are measured again.
        for _ in 0..<2 {
            guard let share = repaired.shareOfLight(in: self) else { break }
            let half = max(Self.minimumContrast, (1 - share) / 2)
            guard half < contrast * 0.95, let fuller = letters(joined: joined, contrast: half) else { break }
            (repaired, contrast) = (fuller, half)
        }
        return repaired.usualHeight.map { $0 >= height * 1.25 } ?? false ? repaired : nil
    }

    /// The lowest contrast at which letters differ from the grain of paper.
    private static var minimumContrast: Float { 0.1 }

    /// The brightness of letters divided by the brightness of the paper around them. This black-and-white picture has
    /// the shapes of the letters, and `grey`, a picture of the same size, has the brightness. The result is the median
    /// of all letters, so that dark codes and bold names do not hide pale print.
    private func shareOfLight(in grey: Raster) -> Float? {
        guard let own = PixelRows(grey) else { return nil }
        let letterPieces = pieces().filter(\.mayBeLetter)
        let step = max(1, letterPieces.count / 400)
        let shares = Swift.stride(from: 0, to: letterPieces.count, by: step).compactMap {
            share(of: letterPieces[$0], in: own)
        }
        return shares.count < 10 ? nil : shares.sorted()[shares.count / 2]
    }

    /// The mean brightness of a letter's ink divided by the brightness of the paper. The brightness of the paper is the
    /// 90th percentile of the other pixels in and around the letter's box.
    private func share(of letter: PixelBox, in grey: PixelRows) -> Float? {
        let margin = 2 + letter.height / 4
        var ink = (sum: 0, count: 0)
        var paper: [UInt8] = []
        for y in max(0, letter.y - margin)..<min(height, letter.maxY + margin) {
            for x in max(0, letter.x - margin)..<min(width, letter.maxX + margin) {
                var bit: UInt32 = 0
                pixGetPixel(pix, Int32(x), Int32(y), &bit)
                if bit == 0 {
                    paper.append(grey[x, y])
                } else {
                    ink = (ink.sum + Int(grey[x, y]), ink.count + 1)
                }
            }
        }
        guard ink.count > 0, !paper.isEmpty else { return nil }
        let light = paper.sorted()[paper.count * 9 / 10]
        return Float(ink.sum) / Float(ink.count * max(1, Int(light)))
    }
}

extension PixelBox {
    /// Whether connected ink has the size of a letter. Letters are at most about as wide as high.
    var mayBeLetter: Bool { height >= 7 && height <= 120 && width * 5 >= height && width * 2 <= height * 3 }
}
