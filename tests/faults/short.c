/* Preloaded: the FAULT_WRITEth write to a file, messages aside, writes half of its bytes, as a disk does that becomes full. With
   FAULT_FULL every later one fails for want of room. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;

/* Returns how many of these bytes are written; -1 if there is no room. */
static long allowed(int fd, size_t length) {
    struct stat file;
    int before = errno;
    const char *strikes = getenv("FAULT_WRITE");
    if (!strikes || !length || fd <= STDERR_FILENO || fstat(fd, &file) || !S_ISREG(file.st_mode)) {
        errno = before;
        return length;
    }
    long after = ++calls - atol(strikes);
    if (after > 0 && getenv("FAULT_FULL")) {
        errno = ENOSPC;
        return -1;
    }
    return after || length == 1 ? (long)length : (long)length / 2;
}

ssize_t write(int fd, const void *bytes, size_t length) {
    long some = allowed(fd, length);
    return some < 0 ? -1 : syscall(SYS_write, fd, bytes, some);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
    long some = allowed(fd, length);
    return some < 0 ? -1 : syscall(SYS_pwrite64, fd, bytes, some, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) { return pwrite64(fd, bytes, length, at); }

ssize_t writev(int fd, const struct iovec *parts, int count) {
    size_t first = count > 0 ? parts[0].iov_len : 0;
    long some = allowed(fd, first);
    if (some < 0)
        return -1;
    return some < (long)first ? syscall(SYS_write, fd, parts[0].iov_base, some) : syscall(SYS_writev, fd, parts, count);
}
