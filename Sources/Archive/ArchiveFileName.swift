import Domain

/// The name of one file in an archive. Names are parsed strictly and are never used as paths.
package enum ArchiveFileName: Hashable, Sendable {
    /// The first file.
    case head
    /// A file of documents: `people/00000001.jsonl`, `households/ID/TABLE/00000001.jsonl`, numbered from 1 in each
    /// folder.
    case documents(ArchivePart, number: Int)
    /// A picture or another uploaded file: `households/ID/pictures/ID.jpg`.
    case picture(ArchivePart, blob: Identifier<Void>, kind: PictureKind)
    /// The file before the last one.
    case manifest
    /// The last file: the authentication code.
    case code

    /// The suffix of a picture's name. It only helps people who unpack an archive; the program reads the media type
    /// from the documents of the table `blob`.
    package enum PictureKind: String, Sendable, CaseIterable {
        case jpg, png, webp, heic, pdf, bin

        package init(mediaType: String) {
            self =
                switch mediaType {
                case "image/jpeg": .jpg
                case "image/png": .png
                case "image/webp": .webp
                case "image/heic", "image/heif": .heic
                case "application/pdf": .pdf
                default: .bin
                }
        }
    }

    package var text: String {
        switch self {
        case .head: "head.json"
        case .documents(let part, let number): "\(part.path)/\(Self.digits(number)).jsonl"
        case .picture(let part, let blob, let kind): "\(part.path)/\(blob).\(kind.rawValue)"
        case .manifest: "manifest.json"
        case .code: "code.txt"
        }
    }

    /// Returns nil if the text is not a possible value of `text`.
    package init?(_ text: String) {
        switch text {
        case "head.json": self = .head
        case "manifest.json": self = .manifest
        case "code.txt": self = .code
        default:
            let path = text.split(separator: "/", omittingEmptySubsequences: false)
            guard path.count > 1, let part = ArchivePart(path: path.dropLast().map { $0 }), let last = path.last,
                let found = Self.file(last, of: part), found.text == text
            else { return nil }
            self = found
        }
    }

    private static func file(_ name: Substring, of part: ArchivePart) -> ArchiveFileName? {
        let pieces = name.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.count == 2 else { return nil }
        if part.isPictures {
            guard let blob = Identifier<Void>(pieces[0]), let kind = PictureKind(rawValue: String(pieces[1])) else {
                return nil
            }
            return .picture(part, blob: blob, kind: kind)
        }
        guard pieces[1] == "jsonl", pieces[0].utf8.count == 8, let number = Int(pieces[0]), number > 0 else {
            return nil
        }
        return .documents(part, number: number)
    }

    private static func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 8 - text.utf8.count)) + text
    }
}
