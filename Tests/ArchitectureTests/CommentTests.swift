import Testing

/// What other targets see says what it is for.
@Suite struct CommentTests {
    @Test func `whatever is package or public has a documentation comment`() throws {
        let files = try SourceFile.all(in: "Sources")
        #expect(files.count > 20)
        #expect(files.flatMap(UndocumentedDeclarations(protocolsOf: files).found) == [])
    }

    @Test(arguments: [
        ("package let size: Int", ["size"]),
        ("/// Bytes.\n@inline(__always)\npackage let size: Int", []),
        ("// Bytes.\npackage let size: Int", ["size"]),
        ("/// Bytes.\n\npackage let size: Int", ["size"]),
        ("@MainActor package let size: Int", ["size"]),
        ("let size: Int", []),
        ("private(set) package var size: Int", ["size"]),
        ("@discardableResult\npublic static func size(of text: String, in unit: Unit) -> Int {", ["size(of:in:)"]),
        (
            "/// Text.\npackage struct Text: Sendable, CustomStringConvertible {\n    package var description: String {",
            []
        ),
        ("/// Text.\npackage struct Text: Sendable {\n    package var description: String {", ["description"]),
        (
            "/// Size.\npackage struct Size: Comparable {\n    package static func < (left: Size, right: Size) -> Bool {",
            []
        ),
        ("/// Stored.\npackage protocol Stored {\n    var stored: Int { get }", ["stored"]),
        (
            """
            /// Stored.
            package protocol Stored {
                /// Cents.
                var stored: Int { get }
            }
            /// One more.
            package protocol Kept: Stored {}
            extension Money: Kept {
                package var stored: Int { cents }
                package var more: Int { cents }
            }
            """, ["more"]
        ),
        (
            """
            /// An amount.
            package struct Amount {
                /// Of the currency's minor unit.
                package let value: Int
                private let unit: String
                package init(_ value: Int, unit: String = "", map: (Int, Int) -> Int = { $0 + $1 }) {
                    self.value = value
                }
                package init(value: Int, unit: String = "Cent") {
                    self.value = value
                    self.unit = unit
                }
                package init(value: Int) { (self.value, unit) = (value * 100, "Cent") }
                package init?(value: Int, unit: String) {
                    self.value = value
                    self.unit = unit
                }
            }
            """, ["init(_:unit:map:)", "init(value:)", "init(value:unit:)"]
        ),
    ])
    func `a declaration without its comment is found`(text: String, names: [String]) {
        let file = SourceFile(path: "Sources/Domain/Example.swift", text: text)
        let found = UndocumentedDeclarations(protocolsOf: [file]).found(in: file)
        #expect(found.map { String($0.drop { $0 != " " }.dropFirst()) } == names)
    }
}
