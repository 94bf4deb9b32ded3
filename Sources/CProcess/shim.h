#pragma once
// Linux calls that restrict this process or release memory. The kernel headers of Debian 12 lack the newer parts of
// Landlock (landlock(7)), and Glibc's Swift module lacks the other calls.
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

// Disables core dumps and access by other processes of the same user: ptrace, /proc/PID/mem, /proc/PID/environ.
static inline int confinement_forbid_inspection(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

struct landlock_rights {
    // The rights that the ruleset refuses unless a rule grants them.
    uint64_t files, network, scope;
};

// The numbers of Landlock's system calls: 444 creates a ruleset, 445 adds a rule, 446 applies the ruleset.

// The version of the Landlock interface; 0 if the kernel does not have Landlock or has disabled it. Flag 1 requests the
// version.
static inline int landlock_version(void) {
    long version = syscall(444, NULL, (size_t)0, 1);
    return version < 0 ? 0 : (int)version;
}

// Creates a ruleset. `size` is the size of `rights` in bytes in the kernel's version of Landlock.
static inline int landlock_create(const struct landlock_rights *rights, size_t size) {
    return (int)syscall(444, rights, size, 0);
}

// Grants rights to the file `descriptor`, or to all files below the folder `descriptor`.
// A rule of type 1 applies to files below a path.
static inline int landlock_allow(int ruleset, int descriptor, uint64_t rights) {
    struct __attribute__((packed)) {
        uint64_t rights;
        int32_t descriptor;
    } rule = {rights, descriptor};
    return (int)syscall(445, ruleset, 1, &rule, 0);
}

static inline int landlock_restrict(int ruleset) { return (int)syscall(446, ruleset, 0); }

// Opens a file or folder without access to its contents. 010000000 is O_PATH.
static inline int landlock_open(const char *path) { return open(path, 010000000 | O_CLOEXEC); }
