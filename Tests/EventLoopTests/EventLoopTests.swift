import CLinux
import EventLoop
import Foundation
import Glibc
import Testing

/// Starts a loop, runs `body` as a task on it and stops the loop.
private func onLoop<Value: Sendable>(_ body: @escaping @Sendable (EventLoop) async throws -> Value) async throws
    -> Value
{
    let loop = try EventLoop(name: "test")
    try loop.start()
    defer { loop.stop() }
    return try await Task(executorPreference: loop) { try await body(loop) }.value
}

/// Creates two connected, non-blocking sockets.
private func pair() throws -> (Int32, Int32) {
    var descriptors: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &descriptors) == 0 else {
        throw SystemError("socketpair")
    }
    return (descriptors[0], descriptors[1])
}

private func suspendTwice(_ loop: EventLoop) async {
    await loop.sleep(for: .milliseconds(1))
    await Task.yield()
}

@Suite(.timeLimit(.minutes(5))) struct EventLoopTests {
    @Test func `keeps a task on its loop through suspensions and child tasks`() async throws {
        let jobs = try await onLoop { loop in
            let jobsBefore = loop.jobCountFromOtherThreads
            for _ in 0..<20 {
                await suspendTwice(loop)
                #expect(loop.isCurrent)
                async let child: Bool = {
                    await Task.yield()
                    return loop.isCurrent
                }()
                #expect(await child)
            }
            return loop.jobCountFromOtherThreads - jobsBefore
        }
        #expect(jobs == 0)
    }

    @Test func `remembers the readiness of an edge-triggered watch until the watch is marked as not ready`()
        async throws
    {
        try await onLoop { loop in
            let (near, far) = try pair()
            defer { for descriptor in [near, far] { close(descriptor) } }
            let watch = try loop.watch(near, .edge)
            defer { watch.cancel() }
            _ = loop.after(.milliseconds(5)) { _ = write(far, "x", 1) }
            #expect(await watch.ready(.read) == .ready)
            var byte: UInt8 = 0
            #expect(read(near, &byte, 1) == 1)
            #expect(read(near, &byte, 1) == -1)
            watch.markNotReady(.read)
            #expect(await watch.ready(.read, until: loop.now + 1) == .timedOut)
            close(far)
            #expect(await watch.ready(.read) == .ready)
        }
    }

    @Test func `reports a watch as closed if its interest cannot be changed`() async throws {
        let reported = try await onLoop { loop in
            let (near, far) = try pair()
            defer { close(far) }
            return await withUnsafeContinuation { continuation in
                var watch: Watch?
                let end = { (readiness: Readiness) in
                    guard let current = watch else { return }
                    watch = nil
                    current.cancel()
                    continuation.resume(returning: readiness)
                }
                watch = try? loop.watch(near, .level([.read])) { end($0) }
                // The kernel forgets a closed descriptor, so that changing the watch fails.
                close(near)
                _ = loop.after(.seconds(5)) { end([]) }
                watch?.interest = [.read, .write]
            }
        }
        #expect(reported.contains(.closed))
    }

    @Test func `fails to start a loop if no thread can be created`() async {
        await #expect(processExitsWith: .success) {
            // This address space is enough for small allocations, but not for another stack.
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[0]
            let used = UInt64(pages).map { $0 * UInt64(sysconf(Int32(_SC_PAGESIZE))) } ?? 0
            guard linux_set_limit(Int32(RLIMIT_AS.rawValue), used + 4 << 20, used + 4 << 20) == 0 else { exit(2) }
            for _ in 0..<20 {
                do {
                    try EventLoop(name: "test").start()
                } catch {
                    exit((error as? SystemError)?.call == "pthread_create" ? 0 : 3)
                }
            }
            exit(1)
        }
    }

    @Test func `resumes waiting tasks when a watch is cancelled`() async throws {
        try await onLoop { loop in
            let (near, far) = try pair()
            defer { for descriptor in [near, far] { close(descriptor) } }
            let watch = try loop.watch(near, .edge)
            _ = loop.after(.milliseconds(2)) { watch.cancel() }
            #expect(await watch.ready(.read) == .cancelled)
            #expect(await watch.ready(.write) == .cancelled)
        }
    }

    @Test func `fires timers in the order of their deadlines, but not cancelled ones`() async throws {
        let order = try await onLoop { loop in
            final class Log: @unchecked Sendable {
                // Safe to share: touched on the loop only.
                var entries: [Int] = []
            }
            while true {
                let log = Log()
                let began = EventLoop.monotonicNow()
                for delay in [9, 3, 6, 1] { _ = loop.after(.milliseconds(delay)) { log.entries.append(delay) } }
                loop.after(.milliseconds(2)) { log.entries.append(-1) }.cancel()
                // If the thread was interrupted meanwhile, the deadlines are in another order.
                guard EventLoop.monotonicNow() - began < 1_000_000 else { continue }
                await loop.sleep(for: .milliseconds(20))
                return log.entries
            }
        }
        #expect(order == [1, 3, 6, 9])
    }

    @Test func `accepts 50,000 cancelled timers`() async throws {
        try await onLoop { loop in
            for _ in 0..<50_000 { loop.after(.seconds(3600)) {}.cancel() }
            await loop.sleep(for: .milliseconds(1))
            #expect(loop.isCurrent)
        }
    }

    @Test func `runs and counts work from other threads`() async throws {
        let loop = try EventLoop(name: "test")
        try loop.start()
        defer { loop.stop() }
        for _ in 0..<100 {
            #expect(await Task(executorPreference: loop) { loop.isCurrent }.value)
        }
        #expect(loop.jobCountFromOtherThreads >= 100)
        #expect(!loop.isCurrent)
    }

    @Test(arguments: [(["-c", "exit 3"], ChildProcess.Exit.code(3)), (["-c", "kill -9 $$"], .signal(9))])
    func `reports the end of a child`(arguments: [String], expected: ChildProcess.Exit) async throws {
        let exit = try await onLoop { loop in
            let child = try ChildProcess(
                on: loop, path: "/bin/sh", arguments: arguments, environment: [:], descriptors: [])
            return await child.ended()
        }
        #expect(exit == expected)
    }

    @Test func `passes only the given descriptors to a child`() async throws {
        let text = try await onLoop { loop in
            let (near, far) = try pair()
            defer { close(near) }
            let child = try ChildProcess(
                on: loop, path: "/bin/sh", arguments: ["-c", "ls /proc/self/fd | wc -l >&3; echo $A >&3"],
                environment: ["A": "b", "PATH": "/usr/bin:/bin"], descriptors: [(far, 3), (2, 2), (1, 1)])
            close(far)
            #expect(await child.ended() == .code(0))
            var buffer = [UInt8](repeating: 0, count: 100)
            let count = read(near, &buffer, 100)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
        // Standard streams, descriptor 3, and the folder that ls reads.
        #expect(text == "5\nb\n")
    }

    @Test(arguments: [0, 1] as [Int32])
    func `a child inherits standard output and error that are not given`(descriptor: Int32) async throws {
        let exit = try await onLoop { loop in
            let (near, far) = try pair()
            defer { close(near) }
            let child = try ChildProcess(
                on: loop, path: "/bin/sh", arguments: ["-c", "test -e /proc/self/fd/1 && test -e /proc/self/fd/2"],
                environment: [:], descriptors: [(far, descriptor)])
            close(far)
            return await child.ended()
        }
        #expect(exit == .code(0))
    }

    @Test func `fails for a program that does not exist`() async throws {
        try await onLoop { loop in
            _ = #expect(throws: SystemError.self) {
                try ChildProcess(on: loop, path: "/nowhere", arguments: [], environment: [:], descriptors: [])
            }
        }
    }

    @Test func `reports the end of a child whose status was collected elsewhere`() async throws {
        try await onLoop { loop in
            let child = try ChildProcess(
                on: loop, path: "/bin/sh", arguments: ["-c", "exit 3"], environment: [:], descriptors: [])
            var status: Int32 = 0
            #expect(waitpid(child.identifier, &status, 0) == child.identifier)
            #expect(await child.ended() == .unknown)
        }
    }

    @Test func `reports the signal with which it killed a child`() async throws {
        let exit = try await onLoop { loop in
            let child = try ChildProcess(
                on: loop, path: "/bin/sleep", arguments: ["600"], environment: [:], descriptors: [])
            child.killAndWait()
            return await child.ended()
        }
        #expect(exit == .signal(SIGKILL))
    }

    @Test func `kills a child whose end cannot be watched`() async {
        await #expect(processExitsWith: .success) {
            _ = try await onLoop { loop in
                // No further descriptor is available, so the program starts but its end cannot be watched.
                let next = dup(0)
                close(next)
                _ = linux_set_limit(Int32(RLIMIT_NOFILE.rawValue), UInt64(next), 1024)
                do {
                    _ = try ChildProcess(
                        on: loop, path: "/bin/sleep", arguments: ["600"], environment: [:], descriptors: [])
                    exit(1)
                } catch {
                    var status: Int32 = 0
                    guard waitpid(-1, &status, WNOHANG) == -1, errno == ECHILD else { exit(2) }
                    exit(0)
                }
            }
        }
    }
}
