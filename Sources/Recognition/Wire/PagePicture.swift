/// A JPEG without metadata that belongs to a page.
package struct PagePicture: Equatable, Sendable {
    /// The sizes made of each page.
    package enum Variant: UInt8, Equatable, Sendable, CaseIterable {
        /// The picture that boxes refer to; longer side at most 4,000 px.
        case reading
        /// Longer side at most 1,600 px.
        case display
        /// Longer side at most 320 px.
        case preview
    }

    /// The maximum size of a picture in bytes; also the limit of stored pictures.
    package static let maximumBytes = 25 << 20

    /// Counted over all files of the job, from 0.
    package var page: Int
    /// The size of the picture.
    package var variant: Variant
    /// The width in pixels, 1 to 65,536.
    package var width: Int
    /// The height in pixels, 1 to 65,536.
    package var height: Int
    /// 1 … ``maximumBytes`` bytes. The server checks that it is a JPEG.
    package var jpeg: [UInt8]

    package init(page: Int, variant: Variant, width: Int, height: Int, jpeg: [UInt8]) {
        self.page = page
        self.variant = variant
        self.width = width
        self.height = height
        self.jpeg = jpeg
    }
}
