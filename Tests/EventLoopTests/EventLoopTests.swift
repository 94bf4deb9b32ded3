import CLinux
import EventLoop
import Glibc
import Testing

/// Starts a loop, runs `body` as a task on it and stops the loop.
private func onLoop<Value: Sendable>(_ body: @escaping @Sendable (EventLoop) async throws -> Value) async throws
    -> Value
{
    let loop = try EventLoop(name: "test")
    loop.start()
    defer { loop.stop() }
    return try await Task(executorPreference: loop) { try await body(loop) }.value
}

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

@Suite struct EventLoopTests {
    @Test func `A task stays on its loop through suspensions and child tasks`() async throws {
        let hops = try await onLoop { loop in
            let before = loop.foreignEnqueues
            for _ in 0..<20 {
                await suspendTwice(loop)
                #expect(loop.isCurrent)
                async let child: Bool = {
                    await Task.yield()
                    return loop.isCurrent
                }()
                #expect(await child)
            }
            return loop.foreignEnqueues - before
        }
        #expect(hops == 0)
    }

    @Test func `An edge-triggered watch remembers what is ready until it is exhausted`() async throws {
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
            watch.exhausted(.read)
            #expect(await watch.ready(.read, until: loop.now + 1) == .timedOut)
            close(far)
            #expect(await watch.ready(.read) == .ready)
        }
    }

    @Test func `Cancelling a watch wakes who waits for it`() async throws {
        try await onLoop { loop in
            let (near, far) = try pair()
            defer { for descriptor in [near, far] { close(descriptor) } }
            let watch = try loop.watch(near, .edge)
            _ = loop.after(.milliseconds(2)) { watch.cancel() }
            #expect(await watch.ready(.read) == .cancelled)
            #expect(await watch.ready(.write) == .cancelled)
        }
    }

    @Test func `Timers fire in order of their deadlines and cancelled ones never`() async throws {
        let order = try await onLoop { loop in
            final class Log: @unchecked Sendable { var entries: [Int] = [] }  // touched on the loop only
            let log = Log()
            for delay in [9, 3, 6, 1] { _ = loop.after(.milliseconds(delay)) { log.entries.append(delay) } }
            loop.after(.milliseconds(2)) { log.entries.append(-1) }.cancel()
            await loop.sleep(for: .milliseconds(20))
            return log.entries
        }
        #expect(order == [1, 3, 6, 9])
    }

    @Test func `Thousands of cancelled timers are given back`() async throws {
        try await onLoop { loop in
            for _ in 0..<50_000 { loop.after(.seconds(3600)) {}.cancel() }
            await loop.sleep(for: .milliseconds(1))
            #expect(loop.isCurrent)
        }
    }

    @Test func `Work from other threads is counted and done`() async throws {
        let loop = try EventLoop(name: "test")
        loop.start()
        defer { loop.stop() }
        for _ in 0..<100 {
            #expect(await Task(executorPreference: loop) { loop.isCurrent }.value)
        }
        #expect(loop.foreignEnqueues >= 100)
        #expect(!loop.isCurrent)
    }

    @Test(arguments: [(["-c", "exit 3"], ChildProcess.Exit.code(3)), (["-c", "kill -9 $$"], .signal(9))])
    func `A child's end is reported`(arguments: [String], expected: ChildProcess.Exit) async throws {
        let exit = try await onLoop { loop in
            let child = try ChildProcess(
                on: loop, path: "/bin/sh", arguments: arguments, environment: [:], descriptors: [])
            return await child.ended()
        }
        #expect(exit == expected)
    }

    @Test func `A child gets its descriptors and no others`() async throws {
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
        // Standard streams, number 3 and the folder that ls reads.
        #expect(text == "5\nb\n")
    }

    @Test func `A program that does not exist is an error`() async throws {
        try await onLoop { loop in
            _ = #expect(throws: SystemError.self) {
                try ChildProcess(on: loop, path: "/nowhere", arguments: [], environment: [:], descriptors: [])
            }
        }
    }

    @Test func `A child whose status somebody else took has ended all the same`() async throws {
        try await onLoop { loop in
            let child = try ChildProcess(
                on: loop, path: "/bin/sh", arguments: ["-c", "exit 3"], environment: [:], descriptors: [])
            var status: Int32 = 0
            #expect(waitpid(child.identifier, &status, 0) == child.identifier)
            #expect(await child.ended() == .unknown)
        }
    }

    @Test func `A child that cannot be watched is ended again`() async {
        await #expect(processExitsWith: .success) {
            _ = try await onLoop { loop in
                // The next number is one too many: a program can be started, but no descriptor stands for it.
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
