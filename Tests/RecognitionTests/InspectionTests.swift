import Recognition
import Testing

/// Tests of the server's inspection of the beginning of a file, which must never crash.
@Suite(.timeLimit(.minutes(5))) struct InspectionTests {
    /// A box of an ISO base media file (ISO 14496-12).
    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let length = UInt32(content.count + 8)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + Array(name.utf8) + content
    }

    /// The beginning of a HEIC file with these sizes.
    private static func heic(_ sizes: [(width: UInt32, height: UInt32)]) -> [UInt8] {
        let properties = sizes.flatMap { size in
            box(
                "ispe",
                [0, 0, 0, 0]
                    + [size.width, size.height].flatMap { side in
                        (0..<4).map { UInt8(truncatingIfNeeded: side >> (24 - 8 * $0)) }
                    })
        }
        let type = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
        return type + box("meta", [0, 0, 0, 0] + box("iprp", box("ipco", properties)))
    }

    @Test func `uses the largest size in a HEIC file`() throws {
        let file = Self.heic([(512, 512), (4_032, 3_024), (320, 240)])
        let inspection = try ImageInspection.inspect(file, fileBytes: file.count)
        #expect(inspection == ImageInspection(kind: .heic, width: 4_032, height: 3_024))
    }

    @Test(
        arguments: [
            [(UInt32.max, UInt32.max)], [(UInt32.max, UInt32.max), (UInt32.max, 1)], [(1, 1), (1 << 31, 1 << 31)],
            [(100_000, 100_000)],
        ] as [[(width: UInt32, height: UInt32)]])
    func `refuses huge sizes, even if their product overflows`(sizes: [(width: UInt32, height: UInt32)]) {
        let file = Self.heic(sizes)
        #expect(throws: ImageInspection.Refusal.tooManyPixels) {
            try ImageInspection.inspect(file, fileBytes: file.count)
        }
    }

    @Test func `refuses a size of zero as damaged`() {
        let file = Self.heic([(0, 3_024)])
        #expect(throws: ImageInspection.Refusal.damaged) { try ImageInspection.inspect(file, fileBytes: file.count) }
    }
}
