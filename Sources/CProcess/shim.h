#pragma once
// Linux calls that restrict this process or give memory back. Landlock (landlock(7)) is declared here, because the kernel
// headers of Debian 12 lack its newer parts; the others, because Glibc's Swift module leaves them out.
#include <fcntl.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

extern int setgroups(size_t count, const gid_t *groups);
extern int setresgid(gid_t real, gid_t effective, gid_t saved);
extern int setresuid(uid_t real, uid_t effective, uid_t saved);

// No core dumps, and no access for other processes of the same user: ptrace, /proc/PID/mem, /proc/PID/environ.
static inline int confinement_forbid_inspection(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

struct landlock_rights {
    // Rights that are refused unless a rule grants them.
    uint64_t files, network, scope;
};

// The version of the interface; 0 if the kernel has no Landlock or does not use it.
static inline int landlock_version(void) {
    long version = syscall(444, NULL, (size_t)0, 1);
    return version < 0 ? 0 : (int)version;
}

// `size`: bytes of the structure that the version of the interface knows.
static inline int landlock_create(const struct landlock_rights *rights, size_t size) {
    return (int)syscall(444, rights, size, 0);
}

// Grants rights to a file, or to everything below a folder; `place` is a descriptor.
static inline int landlock_allow(int ruleset, int place, uint64_t rights) {
    struct __attribute__((packed)) {
        uint64_t rights;
        int32_t place;
    } rule = {rights, place};
    return (int)syscall(445, ruleset, 1, &rule, 0);
}

static inline int landlock_restrict(int ruleset) { return (int)syscall(446, ruleset, 0); }

// Opens a place without any right to its contents. 010000000 is O_PATH.
static inline int landlock_open(const char *path) { return open(path, 010000000 | O_CLOEXEC); }
