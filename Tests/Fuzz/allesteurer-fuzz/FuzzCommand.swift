import CFuzzer
import Glibc

/// `allesteurer-fuzz NAME [libFuzzer's arguments]`. Without arguments, it prints the names, one per line.
enum FuzzCommand {
    static func run() {
        let targets = targets.merging(readingTargets) { first, _ in first }
            .merging(archiveTargets) { first, _ in first }
            .merging(mailTargets) { first, _ in first }
            .merging(wineTargets) { first, _ in first }
            .merging(bankTargets) { first, _ in first }
        guard CommandLine.argc > 1 else {
            for name in targets.keys.sorted() { print(name) }
            return
        }
        guard let target = targets[CommandLine.arguments[1]] else {
            print("unknown target; run allesteurer-fuzz without arguments to list the targets")
            exit(2)
        }
        chosen = target
        // libFuzzer expects the name of the program as its first argument, so the name of the target replaces it.
        var count = CommandLine.argc - 1
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
        exit(LLVMFuzzerRunDriver(&count, &arguments, fuzzOne))
    }

    /// Set once, before the only thread that reads it starts.
    nonisolated(unsafe) fileprivate static var chosen: ([UInt8]) -> Void = { _ in }
}

private func fuzzOne(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    FuzzCommand.chosen(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}

/// Asserts a property of each input. A failure ends the run and saves the input.
///
/// - Parameter sentence: the property, as a sentence.
func check(_ holds: Bool, _ sentence: StaticString) {
    if !holds { fatalError("property violated: \(sentence)") }
}
