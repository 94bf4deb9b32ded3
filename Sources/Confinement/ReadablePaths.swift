/// All files and folders that a child process of the reader may open, for reading only. Paths that do not exist are
/// skipped.
enum ReadablePaths {
    /// Shared libraries: image decoders load some of them on first use, and the PDF programs load theirs.
    static let libraries = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"]

    /// The models of OCR engines. Some engines open files of their model on first use, which happens in the child
    /// process.
    static let models = ["/usr/share/tesseract-ocr"]

    /// Fonts and character maps that the PDF programs need.
    static let fonts = [
        "/etc/fonts", "/usr/share/fonts", "/usr/share/fontconfig", "/usr/local/share/fonts", "/var/cache/fontconfig",
        "/usr/share/poppler",
    ]

    static let all = libraries + models + fonts

    /// Programs that a child may execute, with the dynamic loader that starts them.
    static let programs =
        ["/usr/local/bin", "/usr/bin", "/bin"].flatMap { ["\($0)/pdftotext", "\($0)/pdftoppm"] }
        + ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"]
}
