// swift-tools-version: 6.2
import PackageDescription

// Layers that do not depend on receipts are separate targets, so that the compiler checks the dependencies
// (ARCHITECTURE.md). Features are folders of `App`.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // An async function stays on its caller's executor, so that a request never leaves its event loop by accident.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Settings for targets that are optimised in debug builds, too, because their code and tests would otherwise take ten
/// times as long. `App`, which changes most, uses `strict`, so that it builds quickly and is easy to debug.
let fast: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

func layer(_ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = fast) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

// Development tools, built with DEVTOOLS=1 only. They are not part of the product.
let developmentTools: [Target] =
    Context.environment["DEVTOOLS"] == nil
    ? []
    : [
        .executableTarget(
            name: "parse-recognized", dependencies: ["DocumentParsing", "Domain", "Recognition", "DamagedPages"],
            swiftSettings: strict),
        .executableTarget(name: "read-page", dependencies: ["OCRCore", "Recognition"], swiftSettings: strict),
        .executableTarget(name: "read-wine-list", dependencies: ["Recognition", "Wines"], swiftSettings: strict),
    ]

let package = Package(
    name: "AllesTeurer",
    defaultLocalization: "de",
    products: [
        .executable(name: "allesteurer", targets: ["allesteurer"]),
        .executable(name: "allesteurer-reader", targets: ["allesteurer-reader"]),
    ],
    targets: [
        // System libraries of the server.
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CProcess"),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // System libraries of the reader; the server never links them.
        .systemLibrary(name: "CTesseract", pkgConfig: "tesseract lept", providers: [.apt(["libtesseract-dev"])]),
        .systemLibrary(
            name: "CImage", pkgConfig: "libturbojpeg libjpeg libpng libwebp libheif",
            providers: [.apt(["libturbojpeg0-dev", "libjpeg-dev", "libpng-dev", "libwebp-dev", "libheif-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        // Loads ONNX Runtime at run time, so the build does not need it.
        .target(name: "COnnxRuntime", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CBarcode", cxxSettings: [.define("NDEBUG")], linkerSettings: [.linkedLibrary("ZXing")]),

        .target(
            name: "Domain",
            resources: [
                .embedInCode("Products/Vocabulary/abbreviations.txt"),
                .embedInCode("Products/Vocabulary/products.txt"),
                .embedInCode("Expenses/Categorization/payees.txt"),
                .embedInCode("Expenses/Categorization/keywords.txt"),
            ], swiftSettings: fast),
        layer("Demo", ["Domain"]),
        layer("Recognition"),
        layer("JSON"),
        layer("EventLoop", ["CLinux"]),
        layer("HTTP", ["CZlib"]),
        layer("HTTPServer", ["HTTP", "EventLoop", "CLinux", "COpenSSL"]),
        layer("HTTPClient", ["EventLoop", "CLinux", "COpenSSL"]),
        layer("Mail", ["HTTPClient"]),
        layer("Templates"),
        layer("Postgres", ["EventLoop", "CPostgres", "CLinux"]),
        layer("Crypto", ["COpenSSL", "CArgon2", "CLinux"]),
        layer("Archive", ["Crypto", "Domain", "JSON"]),
        // Restricts the reader's child processes. A separate target, so that tests can restrict a hostile program in the
        // same way.
        layer("Confinement", ["CProcess", "CLinux", "CSeccomp"]),
        layer("OCRCore", ["Recognition", "CTesseract", "CImage", "CBarcode", "COnnxRuntime", "CLinux"]),
        .target(
            name: "DocumentParsing", dependencies: ["Domain", "Recognition"],
            // The facts of the chains are embedded, so that no file is needed at run time.
            resources: [.embedInCode("Facts/chains.facts")], swiftSettings: fast),
        .target(
            name: "Wines", dependencies: ["Domain", "Recognition"],
            resources: [
                .embedInCode("Vocabulary/sections.txt"), .embedInCode("Vocabulary/servings.txt"),
                .embedInCode("Vocabulary/grapes.txt"), .embedInCode("Vocabulary/places.txt"),
                .embedInCode("Vocabulary/abbreviations.txt"), .embedInCode("Vocabulary/remarks.txt"),
                .embedInCode("Vocabulary/producers.txt"), .embedInCode("Vocabulary/drinks.txt"),
                .embedInCode("Vocabulary/crowns.txt"),
            ], swiftSettings: fast),
        layer(
            "App",
            [
                "Domain", "Demo", "Recognition", "DocumentParsing", "Wines", "JSON", "EventLoop", "HTTP", "Templates",
                "Postgres", "Crypto", "Archive", "HTTPClient", "Mail", "CLinux", "CProcess",
            ], settings: strict),
        .executableTarget(name: "allesteurer", dependencies: ["App", "HTTPServer"], swiftSettings: strict),
        .executableTarget(
            name: "allesteurer-reader", dependencies: ["OCRCore", "Recognition", "Confinement", "CProcess", "CLinux"],
            path: "Sources/allesteurer-reader", swiftSettings: strict),

        // Shared by the tests of several targets. A test target, because a regular one breaks the static release build.
        tests("TestSupport", ["Postgres", "EventLoop", "HTTP", "CLinux"]),
        tests("DomainTests", ["Domain", "Demo"]),
        tests("RecognitionTests", ["Recognition"]),
        tests("JSONTests", ["JSON"]),
        tests("EventLoopTests", ["EventLoop", "CLinux"]),
        tests("HTTPTests", ["HTTP"]),
        tests("HTTPServerTests", ["HTTPServer", "HTTP", "EventLoop", "CLinux"]),
        tests("HTTPClientTests", ["HTTPClient", "HTTPServer", "HTTP", "EventLoop", "CLinux", "TestSupport"]),
        tests("MailTests", ["Mail", "HTTPClient", "EventLoop", "TestSupport"]),
        tests("TemplatesTests", ["Templates", "JSON"]),
        tests("PostgresTests", ["Postgres", "EventLoop", "TestSupport"]),
        tests("CryptoTests", ["Crypto"]),
        tests("ArchiveTests", ["Archive", "Crypto", "Domain"]),
        tests("OCRCoreTests", ["OCRCore", "Recognition", "CTesseract"]),
        // Runs the built `allesteurer-reader`, which is in the same folder as the tests.
        tests(
            "ReaderTests",
            [
                "Recognition", "Confinement", "HostileProgram", "DocumentParsing", "Domain", "CImage", "CLinux",
                "CZlib",
            ], exclude: ["Files"]),
        .target(name: "HostileProgram", path: "Tests/HostileProgram"),
        // Damages recognised pages, for tests and for the development tool `parse-recognized`.
        .target(
            name: "DamagedPages", dependencies: ["Domain", "Recognition"], path: "Tests/DamagedPages",
            swiftSettings: fast),
        tests("DocumentParsingTests", ["DocumentParsing", "Domain", "Recognition", "DamagedPages"]),
        tests("WinesTests", ["Wines", "Recognition"]),
        tests(
            "AppTests",
            [
                "App", "Archive", "HTTPServer", "HTTPClient", "Mail", "HTTP", "EventLoop", "Postgres", "Crypto",
                "TestSupport",
                "Domain",
                "Demo", "Wines",
                "Recognition", "DocumentParsing", "JSON",
            ], exclude: ["route-access.txt", "Archives/Files"]),
        tests("ArchitectureTests", []),
    ] + developmentTools,
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// The program of bin/fuzz. It is built only with FUZZ=1, because libFuzzer needs sanitizer flags for all targets.
if Context.environment["FUZZ"] != nil {
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .executableTarget(
            name: "allesteurer-fuzz",
            dependencies: [
                "Archive", "CFuzzer", "Crypto", "DocumentParsing", "Domain", "HTTP", "JSON", "Mail", "OCRCore",
                "Recognition",
                "Templates", "Wines",
            ],
            path: "Tests/Fuzz/allesteurer-fuzz", swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
    ]
}
