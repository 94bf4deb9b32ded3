import CLinux
import Confinement
import Glibc
import OCRCore
import Recognition

/// The child's work: reads the files, sends the words, then answers requests for rereads and pictures until the server
/// ends the job.
struct JobReader {
    private let reader: PageReader
    private let socket: Int32
    private var decoder = FrameDecoder()
    private var assembler = MessageAssembler(limit: ReadingJob.maximumFileBytes)
    /// The number of files of the job that have not been received yet.
    private var remaining = 0
    private var reportedPages = -1
    /// CPU seconds allowed for each page.
    private var cpuSecondsPerPage = 0
    private var isQuick = false
    private var document = RecognizedDocument(pages: [])
    private var pictures: [Raster] = []
    /// The reason why a file could not be read. The pages before it are still sent; then the job fails.
    private var failure: ReadingFailureReason?

    init(reader: PageReader, socket: Int32) {
        self.reader = reader
        self.socket = socket
    }

    /// - Returns: the exit status, 0 after `done`.
    consuming func run() -> Int32 {
        while let request = nextRequest() {
            switch request {
            case .job(let job):
                remaining = job.fileCount
                cpuSecondsPerPage = job.cpuSecondsPerPage
                isQuick = job.isQuick
            case .file(let bytes):
                remaining -= 1
                if failure == nil { failure = read(bytes) }
                guard remaining == 0 else { continue }
                if let failure, pictures.isEmpty { return ChildStatus.code(of: failure) }
                send(.document(document, cpuMilliseconds: cpuMilliseconds()))
            case .reread(let requests):
                let answers = reader.reread(requests, on: pictures)
                send(.reread(answers, cpuMilliseconds: cpuMilliseconds()))
            case .pictures(let places):
                for (page, picture) in pictures.enumerated() {
                    let boxes = places.filter { $0.page == page }.map(\.box)
                    guard let shown = boxes.isEmpty ? picture : picture.covered(boxes), send(shown, page: page) else {
                        return ChildStatus.code(of: .memory)
                    }
                }
            case .done:
                return failure.map(ChildStatus.code) ?? 0
            }
        }
        return ChildStatus.code(of: .crashed)
    }

    /// Waits for the next request; nil if the supervisor closed the socket or sent an invalid message.
    private mutating func nextRequest() -> ReaderRequest? {
        do {
            while true {
                while let frame = try decoder.next() {
                    if let message = try assembler.take(frame) {
                        return try ReaderRequest(kind: message.kind, payload: message.payload)
                    }
                }
                guard let bytes = readSome(socket), !bytes.isEmpty else { return nil }
                decoder.append(bytes)
            }
        } catch { return nil }
    }

    /// Reads a file and adds its pages to the document. Returns the reason of a failure.
    private mutating func read(_ bytes: [UInt8]) -> ReadingFailureReason? {
        do {
            let pagesBefore = document.pages.count
            let pages = try reader.read(bytes, isQuick: isQuick) { pages, count in
                reportProgress(pagesBefore + pages, of: pagesBefore + count + remaining)
            }
            for page in pages {
                document.pages.append(page.page)
                pictures.append(page.picture)
            }
        } catch {
            switch error {
            case .tooLarge: return .tooLarge
            case .encryptedPDF: return .encryptedPDF
            case .unsupported: return .unsupported
            case .damaged: return .damaged
            case .memory: return .memory
            case .engine: return .crashed
            }
        }
        let isEmpty = document.pages.allSatisfy { $0.lines.isEmpty && $0.codes.isEmpty }
        return remaining == 0 && isEmpty ? .unreadable : nil
    }

    /// Reports the progress of a job with several pages, and raises the CPU limit for the next page.
    private mutating func reportProgress(_ pages: Int, of count: Int) {
        guard count > 1, pages > reportedPages else { return }
        reportedPages = pages
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        allowCPU(seconds: usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1 + cpuSecondsPerPage)
        send(.progress(pages: pages, of: count))
    }

    /// Sends a picture in each size. Returns false if there is not enough memory.
    private func send(_ picture: Raster, page: Int) -> Bool {
        // The longest side in pixels, and the JPEG quality.
        for (variant, side, quality) in [
            (PagePicture.Variant.reading, 4000, 85), (.display, 1600, 80), (.preview, 320, 75),
        ] {
            let fitted = picture.fitted(to: side)
            guard let jpeg = fitted.jpeg(quality: quality) else { return false }
            send(
                .picture(
                    PagePicture(page: page, variant: variant, width: fitted.width, height: fitted.height, jpeg: jpeg)))
        }
        return true
    }

    private func send(_ answer: ReaderAnswer) {
        var frames = answer.frames
        while let bytes = frames.next() {
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes {
                    write(socket, $0.baseAddress.map { $0 + sent }, bytes.count - sent)
                }
                if count < 0, errno == EINTR { continue }
                // The supervisor has closed its end.
                if count <= 0 { _exit(ChildStatus.code(of: .crashed)) }
                sent += count
            }
        }
    }

    /// The user and system time of this process and its PDF programs.
    private func cpuMilliseconds() -> Int {
        var sum = 0
        for who in [RUSAGE_SELF.rawValue, RUSAGE_CHILDREN.rawValue] {
            var usage = rusage()
            getrusage(who, &usage)
            sum +=
                (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000
                + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000
        }
        return sum
    }
}
