import Recognition

extension PrintedLine {
    /// The places of this line and another on a picture that shows both; nil if no picture does.
    func places(beside other: PrintedLine) -> (page: Int, own: PixelBox, other: PixelBox)? {
        let others = [PagePlace(page: other.page, box: other.box)] + (other.twin.map { [$0] } ?? [])
        for place in [PagePlace(page: page, box: box)] + (twin.map { [$0] } ?? []) {
            if let same = others.first(where: { $0.page == place.page }) { return (place.page, place.box, same.box) }
        }
        return nil
    }
}
