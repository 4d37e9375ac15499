#define _GNU_SOURCE
#include "shoal_system.h"

#include <ftw.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

int shoal_unsent_bytes(int socket) {
    int count = 0;
    return ioctl(socket, TIOCOUTQ, &count) == 0 ? count : -1;
}

int shoal_wait_until(sem_t *semaphore, uint64_t nanoseconds) {
    struct timespec instant = {
        .tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)};
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, &instant);
}

int shoal_unread_bytes(int socket) {
    int count = 0;
    return ioctl(socket, FIONREAD, &count) == 0 ? count : -1;
}

int shoal_pidfd(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int shoal_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int shoal_open(const char *path, int flags, mode_t mode) { return open(path, flags | O_CLOEXEC, mode); }

int shoal_accept(int socket, struct sockaddr *address, socklen_t *length) {
    return accept4(socket, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void shoal_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)type;
    (void)place;
    remove(path);
    return 0;
}

void shoal_remove_tree(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

static int release_code(struct dl_phdr_info *module, size_t size, void *context) {
    (void)size;
    (void)context;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < module->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &module->dlpi_phdr[index];
        // Executable and not writable: such pages are never changed, so dropping them loses nothing.
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || (segment->p_flags & PF_W)) continue;
        uintptr_t start = (module->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
        uintptr_t end = (module->dlpi_addr + segment->p_vaddr + segment->p_filesz) & ~(page - 1);
        if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void shoal_release_code_pages(void) { dl_iterate_phdr(release_code, NULL); }

int shoal_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

pid_t shoal_fork(void) { return fork(); }

void shoal_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGTERM); }
