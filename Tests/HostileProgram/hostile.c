#define _GNU_SOURCE
#include "HostileProgram.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int can_open(const char *path, int flags) { return open(path, flags, 0600) >= 0; }

static int can_open_of(pid_t process, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", process, name);
    return can_open(path, O_RDONLY);
}

// True if a child process was started. The child ends at once.
static int has_child(long process) {
    if (process == 0) _exit(0);
    return process > 0;
}

static int can_run(char *const arguments[]) {
    char *environment[] = {NULL};
    pid_t process;
    int status = 0;
    if (posix_spawn(&process, arguments[0], NULL, NULL, arguments, environment) != 0) return 0;
    return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 99;
}

static int can_read_memory(pid_t process) {
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)0x400000, 1};
    return process_vm_readv(process, &here, 1, &there, 1, 0) == 1;
}

int hostile_program(pid_t server) {
    char *shell[] = {"/bin/sh", "-c", "exit 99", NULL};
    char *by_loader[] = {"/lib64/ld-linux-x86-64.so.2", "/bin/sh", "-c", "exit 99", NULL};
    char *environment[] = {NULL};
    struct rlimit limit;
    int attempt = 0;
#define TRY(succeeds) \
    attempt += 1; \
    if (succeeds) return attempt;
    /*  1 */ TRY(can_open("/etc/passwd", O_RDONLY))
    /*  2 */ TRY(can_open("/", O_RDONLY | O_DIRECTORY))
    /*  3 */ TRY(can_open_of(server, "environ"))
    /*  4 */ TRY(can_open_of(server, "mem"))
    /*  5 */ TRY(can_open_of(server, "fd"))
    /*  6 */ TRY(can_open("/proc/self/environ", O_RDONLY))
    /*  7 */ TRY(can_open("/tmp/allesteurer-hostile", O_CREAT | O_WRONLY))
    /*  8 */ TRY(can_open("/etc/ld.so.cache", O_RDWR))
    /*  9 */ TRY(mkdir("/tmp/allesteurer-hostile", 0700) == 0)
    /* 10 */ TRY(chmod("/tmp", 01777) == 0)
    /* 11 */ TRY(execve(shell[0], shell, environment) == 0)
    /* 12 */ TRY(can_run(shell))
    /* 13 */ TRY(can_run(by_loader))
    /* 14 */ TRY(has_child(fork()))
    /* 15 */ TRY(has_child(syscall(SYS_clone, CLONE_VM | SIGCHLD, NULL, NULL, NULL, NULL)))
    /* 16 */ TRY(has_child(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL)))
    /* 17 */ TRY(unshare(CLONE_NEWUSER) == 0)
    /* 18 */ TRY(syscall(SYS_prlimit64, server, RLIMIT_NOFILE, NULL, &limit) == 0)
    /* 19 */ TRY(kill(server, 0) == 0)
    /* 20 */ TRY(ptrace(PTRACE_ATTACH, server, NULL, NULL) == 0)
    /* 21 */ TRY(can_read_memory(server))
    /* 22 */ TRY(socket(AF_INET, SOCK_STREAM, 0) >= 0)
    /* 23 */ TRY(socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
    /* 24 */ TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0}) == 0)
    /* 25 */ TRY(chroot("/tmp") == 0)
    /* 26 */ TRY(syscall(SYS_setuid, 0) == 0)
    return 0;
}
