#pragma once
// Functions and constants that Glibc's Swift module lacks. GNU functions are declared here. Defining _GNU_SOURCE
// instead would define system structs twice in debug builds.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
extern int pipe2(int fds[2], int flags);
extern ssize_t getrandom(void *buffer, size_t length, unsigned int flags);
extern int memfd_create(const char *name, unsigned int flags);
extern int close_range(unsigned int first, unsigned int last, int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

static inline int linux_exited(int status) { return WIFEXITED(status); }
static inline int linux_exit_status(int status) { return WEXITSTATUS(status); }
static inline int linux_signaled(int status) { return WIFSIGNALED(status); }
static inline int linux_term_signal(int status) { return WTERMSIG(status); }
static inline int linux_is_regular(mode_t mode) { return S_ISREG(mode); }
static inline int linux_is_directory(mode_t mode) { return S_ISDIR(mode); }
static inline int linux_is_symlink(mode_t mode) { return S_ISLNK(mode); }
static inline int linux_set_limit(int resource, unsigned long long soft, unsigned long long hard) {
    struct rlimit limit = {soft, hard};
    return setrlimit(resource, &limit);
}
static inline int linux_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
static inline int linux_set_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL, 0);
    return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}
static inline int linux_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
static inline int linux_forbid_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
