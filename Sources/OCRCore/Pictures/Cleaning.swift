import CTesseract

/// The methods of cleaning a picture for the engines.
enum Cleaning {
    /// Grey, with even brightness of the paper.
    case normalised
    /// Like `normalised`, with strokes slightly thicker and softer: the dots of dot-matrix and thermal printers become
    /// strokes.
    case softened
    /// With much thicker strokes, for print that is worn down to single dots.
    case thickened

    /// The cleaned picture; the picture itself if cleaning fails.
    func apply(to picture: Raster) -> Raster {
        switch self {
        case .normalised:
            // Darker pixels count as ink. The limit is below the brightness of paper in deep shade.
            Raster(pixBackgroundNorm(picture.pix, nil, nil, 16, 16, min(60, picture.shade() * 6 / 10), 60, 235, 2, 2))
                ?? picture
        case .softened: Cleaning.normalised.apply(to: picture).softened()
        case .thickened:
            // Erosion of a grey picture enlarges its dark parts.
            Raster(pixErodeGray(Cleaning.normalised.apply(to: picture).pix, 3, 3)).flatMap {
                Raster(pixBlockconvGray($0.pix, nil, 1, 1))
            } ?? picture
        }
    }
}

extension Raster {
    /// The picture with dots blurred into strokes, and the strokes darkened. For pictures without a blank margin, and
    /// for faint print of dot-matrix printers and worn print heads, which has noise between its rows of dots.
    func dotsJoined() -> Raster? {
        let radius = Int32(max(1, longSide / 900))
        var darkest: UInt32 = 0
        guard let blurred = Raster(pixBlockconvGray(pix, nil, radius, radius)) else { return nil }
        let even = Cleaning.normalised.apply(to: blurred)
        // At least 5 % of the pixels of a printed page are ink, so the darkest 2 % are ink.
        guard pixGetRankValue(even.pix, 4, 0.02, &darkest) == 0, darkest < 225 else { return nil }
        return Raster(pixGammaTRC(nil, even.pix, 1, Int32(darkest), 235))
    }

    /// Dark parts enlarged by one pixel to the right and down, then blurred with σ ≈ 0.7 px.
    fileprivate func softened() -> Raster {
        let (width, height) = (self.width, self.height)
        let result = withBytes { source, sourceStride in
            Raster(width: width, height: height) { target, stride in
                var grown = [UInt8](repeating: 255, count: width)
                // The last three rows, blurred horizontally.
                var rows = [[UInt16]](repeating: [UInt16](repeating: 0, count: width), count: 3)
                for y in 0...height {
                    let row = source + min(y, height - 1) * sourceStride
                    let above = source + min(max(y - 1, 0), height - 1) * sourceStride
                    grown[0] = min(row[0], above[0])
                    for x in 1..<max(1, width) {
                        grown[x] = min(min(row[x], row[x - 1]), min(above[x], above[x - 1]))
                    }
                    let current = y % 3
                    for x in 0..<width {
                        let left = UInt16(grown[max(0, x - 1)])
                        let right = UInt16(grown[min(width - 1, x + 1)])
                        rows[current][x] = (13 * (left + right) + 38 * UInt16(grown[x])) >> 6
                    }
                    guard y > 0 else { continue }
                    let middle = (y - 1) % 3
                    let before = y == 1 ? middle : (y - 2) % 3
                    let written = target + (y - 1) * stride
                    for x in 0..<width {
                        let sides = rows[before][x] + rows[current][x]
                        written[x] = UInt8(truncatingIfNeeded: (13 * sides + 38 * rows[middle][x]) >> 6)
                    }
                }
                return true
            }
        }
        return (result ?? nil) ?? self
    }
}
