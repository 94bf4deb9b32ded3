import Recognition

extension [PixelBox] {
    /// The pieces of ink, with the upper and the lower part of broken letters joined. Letters are broken all along the
    /// line if a dot of the print head failed, or on pale print.
    ///
    /// - Parameter capital: Height of capitals in pixels.
    func joinedHalves(capital: Int) -> [PixelBox] {
        var boxes = sorted { $0.y < $1.y }
        var isTaken = [Bool](repeating: false, count: boxes.count)
        var joined: [PixelBox] = []
        for index in boxes.indices where !isTaken[index] {
            var nextIndex = index + 1
            while nextIndex < boxes.count, boxes[nextIndex].y <= boxes[index].maxY + capital / 3 {
                if !isTaken[nextIndex], boxes[index].isPart(ofLettersOf: boxes[nextIndex], capital: capital) {
                    boxes[index] = boxes[index].union(boxes[nextIndex])
                    isTaken[nextIndex] = true
                }
                nextIndex += 1
            }
            joined.append(boxes[index])
        }
        return joined
    }
}

extension PixelBox {
    /// Whether the pieces are the upper and the lower part of the same letters. They are if one piece is clearly
    /// shorter than a letter, both have mostly the same columns, and both together are about as high as a letter.
    fileprivate func isPart(ofLettersOf below: PixelBox, capital: Int) -> Bool {
        let smallerHeight = Swift.min(height, below.height)
        let jointHeight = Swift.max(maxY, below.maxY) - y
        let sharedWidth = Swift.min(maxX, below.maxX) - Swift.max(x, below.x)
        return smallerHeight * 10 < capital * 7 && smallerHeight * 10 >= capital && jointHeight * 10 <= capital * 13
            && sharedWidth * 10 >= Swift.min(width, below.width) * 6 && Swift.min(width, below.width) * 2 >= capital
    }
}
