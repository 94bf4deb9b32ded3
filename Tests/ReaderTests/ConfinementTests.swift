import CLinux
import Glibc
import HostileProgram
import Testing

@testable import Confinement

/// The confinement of a reader's child, tested with a hostile program in its place.
@Suite(.timeLimit(.minutes(15))) struct ConfinementTests {
    /// The exit status is the number of the first successful attempt in Tests/HostileProgram.
    @Test(.enabled(if: FileRules.areSupported, "this kernel has no Landlock"))
    func `refuses files, programs, processes and sockets to a hostile child`() async {
        await #expect(processExitsWith: .success) {
            let server = getppid()
            guard confine(seconds: 60, supervisor: server, keeping: 3) else { _exit(100) }
            _exit(hostile_program(server))
        }
    }

    @Test func `refuses sockets, signals and new files by the system call filter alone`() async {
        await #expect(processExitsWith: .success) {
            guard linux_forbid_new_privileges() == 0, CallFilter.load() else { _exit(100) }
            let isRefused = [
                socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) < 0, kill(getppid(), 0) < 0,
                open("/tmp/allesteurer-hostile", O_CREAT | O_WRONLY, 0o600) < 0,
            ]
            _exit(Int32(isRefused.firstIndex(of: false) ?? -1) + 1)
        }
    }

    @Test func `allows a child to open libraries and to use memory files, CPU limits and threads`() async {
        await #expect(processExitsWith: .success) {
            guard confine(seconds: 60, supervisor: getppid(), keeping: 3) else { _exit(100) }
            guard open("/etc/ld.so.cache", O_RDONLY) >= 0 || errno == ENOENT else { _exit(1) }
            guard open("/usr/lib", O_RDONLY | O_DIRECTORY) >= 0 else { _exit(2) }
            guard memfd_create("document", 0) >= 0 else { _exit(3) }
            guard allowCPU(seconds: 100) else { _exit(4) }
            var thread = pthread_t()
            guard pthread_create(&thread, nil, { _ in nil }, nil) == 0, pthread_join(thread, nil) == 0 else { _exit(5) }
            _exit(0)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can change the user"))
    func `gives up root permanently`() async {
        await #expect(processExitsWith: .success) {
            guard dropPrivileges(), geteuid() != 0, getegid() != 0, setuid(0) != 0 else { _exit(1) }
            _exit(open("/etc/shadow", O_RDONLY) < 0 ? 0 : 2)
        }
    }
}
