import CImage
import Recognition
import Testing

/// Rows 1–19 of docs/reference/hostile-files.md, read by the real reader without the server's inspection.
@Suite(.serialized, .timeLimit(.minutes(15))) struct HostilePictureTests {
    private let reader: ReaderProcess

    init() throws { reader = try ReaderProcess() }

    /// Reads a hostile file, checks that the same reader still reads a good one, and returns the outcome.
    private func outcome(_ file: [UInt8]) throws -> JobOutcome {
        let outcome = try reader.read(file)
        let next = try reader.read(PDFFile.page(PDFFile.text(["MILCH 1L   0,99 A", "SUMME   7,48"])))
        #expect(next.text.contains("7,48"))
        return outcome
    }

    static let bombs: [(row: Int, what: String, width: Int, height: Int)] = [
        (1, "50,000 × 50,000 pixels", 50_000, 50_000), (2, "19,000 × 19,000 pixels", 19_000, 19_000),
        (3, "30,000 × 1 pixels", 30_000, 1), (3, "1 × 30,000 pixels", 1, 30_000),
    ]

    @Test(arguments: bombs)
    func `rows 1 to 3: refuses a picture whose header gives too large a size`(
        bomb: (row: Int, what: String, width: Int, height: Int)
    )
        throws
    {
        var file = PNGFile(width: bomb.width, height: bomb.height)
        file.chunk("IDAT", compressedZeros(1 << 20))
        file.chunk("IEND", [])
        #expect(try outcome(file.bytes).failure == .tooLarge, "\(bomb.what)")
    }

    @Test func `row 4: refuses missing data and a wrong size as damaged, and may ignore excess data`() throws {
        let (pixels, width, height) = (JPEGFile.pixels().bytes, JPEGFile.pixels().width, JPEGFile.pixels().height)
        var long = PNGFile(width: 100, height: 100)
        long.chunk("IDAT", compressed([UInt8](repeating: 0, count: 4_000_000)))
        long.chunk("IEND", [])
        var short = PNGFile(width: width, height: height)
        short.chunk("IDAT", compressed(Array(pixels.prefix(5_000))))
        short.chunk("IEND", [])
        var jpeg = JPEGFile.receipt
        let place = try #require(JPEGFile.sizeOffset(in: jpeg))
        jpeg[place] = 0x30
        // Excess data may be ignored, missing data may not.
        let excess = try outcome(long.bytes)
        #expect(excess.failure != nil || excess.document != nil)
        #expect(try outcome(short.bytes).failure == .damaged)
        #expect(try outcome(jpeg).failure == .damaged)
    }

    @Test(arguments: [100, 2_000, 20_000, 40_000])
    func `row 5: refuses a truncated JPEG as damaged`(length: Int) throws {
        let outcome = try outcome(Array(JPEGFile.receipt.prefix(length)))
        #expect(outcome.failure == .damaged)
        #expect(outcome.document == nil && outcome.pictures.isEmpty)
    }

    @Test func `row 6: refuses a JPEG with five thousand scans`() throws {
        #expect(try outcome(JPEGFile.scans(0)).text.contains(JPEGFile.total))
        #expect(try outcome(JPEGFile.scans(5_000)).failure == .damaged)
    }

    @Test func `row 7: skips sixteen megabytes of application data`() throws {
        let data = JPEGFile.segment(0xE2, [UInt8](repeating: 0x41, count: 65_533))
        let file = JPEGFile.with(Array(repeating: data, count: 250).flatMap(\.self))
        #expect(try outcome(file).text.contains(JPEGFile.total))
    }

    static let orientations: [(UInt8, TJXOP)] = [
        (1, TJXOP_NONE), (2, TJXOP_HFLIP), (3, TJXOP_ROT180), (4, TJXOP_VFLIP), (5, TJXOP_TRANSPOSE),
        (6, TJXOP_ROT270), (7, TJXOP_TRANSVERSE), (8, TJXOP_ROT90), (9, TJXOP_NONE),
    ]

    @Test(arguments: orientations)
    func `row 8: applies every EXIF orientation, ignores an invalid one`(
        orientation: (UInt8, TJXOP)
    ) throws {
        let file = JPEGFile.with(
            JPEGFile.exif([JPEGFile.orientation(orientation.0)]), JPEGFile.transformed(orientation.1))
        let outcome = try outcome(file)
        #expect(outcome.text.contains(JPEGFile.total))
        let display = try #require(outcome.pictures.first { $0.variant == .display })
        #expect(display.height > display.width)
    }

    @Test func `row 9: removes locations, maker notes and comments from pictures`() throws {
        let secret = Array("SECRET-OF-ANNA".utf8)
        let entry: [UInt8] = [0x92, 0x7C, 0, 7, 0, 0, 0, 14, 0, 0, 0, 40]
        let file = JPEGFile.with(
            JPEGFile.exif([JPEGFile.orientation(1), entry], trailing: secret)
                + JPEGFile.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x>".utf8) + secret)
                + JPEGFile.segment(0xED, secret) + JPEGFile.segment(0xFE, secret))
        let pictures = try outcome(file).pictures
        #expect(pictures.count == 3)
        for picture in pictures {
            #expect(!contains(picture.jpeg, secret))
            #expect(!contains(picture.jpeg, Array("Exif".utf8)))
        }
    }

    @Test func `row 10: reads a picture whose EXIF directories refer to themselves`() throws {
        let circle = JPEGFile.exif([[0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8]], next: 8)
        #expect(try outcome(JPEGFile.with(circle)).text.contains(JPEGFile.total))
        let outside = JPEGFile.segment(0xE1, Array("Exif\0\0".utf8) + [0x4D, 0x4D, 0, 0x2A, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try outcome(JPEGFile.with(outside)).text.contains(JPEGFile.total))
    }

    @Test func `row 11: reads unusual pixel formats, and refuses a palette without the colours used`() throws {
        let (pixels, width, height) = JPEGFile.pixels()
        let files: [(String, [UInt8])] = [
            ("inverted CMYK", JPEGFile.invertedCMYK()),
            ("16 bits", PNGFile.grey(pixels, width: width, height: height, depth: 16)),
            ("interlaced", PNGFile.grey(pixels, width: width, height: height, interlaced: true)),
            (
                "animated",
                PNGFile.grey(pixels, width: width, height: height, before: [("acTL", [0, 0, 0, 2, 0, 0, 0, 0])])
            ),
        ]
        for (what, file) in files { #expect(try outcome(file).text.contains(JPEGFile.total), "\(what)") }
        var palette = PNGFile(width: 200, height: 200, colour: 3)
        palette.chunk("PLTE", [0, 0, 0, 255, 255, 255])
        palette.chunk("IDAT", compressed([UInt8](repeating: 77, count: 201 * 200)))
        palette.chunk("IEND", [])
        #expect(try outcome(palette.bytes).document == nil)
    }

    static let unsupportedPictures: [(row: Int, what: String, bytes: [UInt8])] = [
        (12, "a GIF", Array("GIF89a".utf8) + [100, 0, 100, 0, 0, 0, 0]),
        (12, "a TIFF", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0]),
        (13, "SVG", Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>".utf8)),
        (14, "HTML", Array("<!doctype html><script>alert(1)</script>".utf8)),
        (16, "MVG", Array("push graphic-context\nimage over 0,0 0,0 'label:@/etc/passwd'".utf8)),
        (16, "EPS", Array("%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) (r) file".utf8)),
        (16, "MSL", Array("<?xml version=\"1.0\"?><image><read filename=\"/etc/passwd\"/></image>".utf8)),
        (17, "JPEG XL", [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
    ]

    @Test(arguments: unsupportedPictures)
    func `rows 12 to 17: does not decode an unsupported type`(file: (row: Int, what: String, bytes: [UInt8])) throws {
        #expect(try outcome(file.bytes).failure == .unsupported, "\(file.what)")
    }

    @Test func `row 15: outputs nothing of a file's second format`() throws {
        let secret = Array("<?php system('id'); ?>".utf8)
        let (pixels, width, height) = JPEGFile.pixels()
        let files: [(String, [UInt8])] = [
            ("JPEG and archive", JPEGFile.receipt + [0x50, 0x4B, 3, 4] + secret),
            ("JPEG and PHP", JPEGFile.with(JPEGFile.segment(0xFE, secret))),
            ("PNG and script", PNGFile.grey(pixels, width: width, height: height, before: [("tEXt", secret)])),
        ]
        for (what, file) in files {
            let outcome = try outcome(file)
            #expect(outcome.text.contains(JPEGFile.total), "\(what)")
            for picture in outcome.pictures { #expect(!contains(picture.jpeg, secret), "\(what)") }
        }
        // The signature of a PDF early in a JPEG. No picture may contain the other format.
        let both = JPEGFile.with(JPEGFile.segment(0xFE, Array("%PDF-1.4 ".utf8) + secret))
        for picture in try outcome(both).pictures { #expect(!contains(picture.jpeg, secret)) }
    }

    @Test(arguments: ["edeka.heic", "edeka-tiled.heic", "edeka.webp"])
    func `row 17: reads WebP, and HEIC in one piece and in tiles`(name: String) throws {
        #expect(try outcome(JPEGFile.file(name)).text.contains(JPEGFile.total))
    }

    @Test func `row 17: reads AVIF or refuses it with a reason`() throws {
        let outcome = try outcome(JPEGFile.file("edeka.avif"))
        #expect(outcome.text.contains(JPEGFile.total) || [.unsupported, .damaged].contains(outcome.failure))
    }

    static let stubs: [[UInt8]] = [
        [], [0xFF], [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
        Array("RIFF\0\0\0\0WEBP".utf8),
        [0, 0, 0, 0x18] + Array("ftypheic".utf8), Array("%PDF-".utf8), Array("%PDF-1.7\n%%EOF".utf8),
    ]

    @Test(arguments: stubs)
    func `row 18: refuses an empty file, a single byte and a signature without content as damaged`(bytes: [UInt8])
        throws
    {
        #expect(try outcome(bytes).failure == .damaged)
    }

    @Test(arguments: ["zTXt", "iTXt", "iCCP"])
    func `row 19: skips a compression bomb in a comment`(kind: String) throws {
        let (pixels, width, height) = JPEGFile.pixels()
        // 256 MB of zeros after the keyword and the other fields of the chunk.
        let head = Array("bomb\0".utf8) + (kind == "iTXt" ? [1, 0, 0, 0] : [0])
        let file = PNGFile.grey(
            pixels, width: width, height: height, before: [(kind, head + compressedZeros(256 << 20))])
        let watch = MemoryWatch(childrenOf: reader.identifier)
        #expect(try outcome(file).text.contains(JPEGFile.total))
        #expect((20 << 20..<500 << 20).contains(watch.end()))
    }
}
