#pragma once
// What Swift cannot import of Linux: variadic functions and macros.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <semaphore.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

// Bytes that the peer's kernel has not acknowledged yet (SIOCOUTQ / TIOCOUTQ); -1 on error.
int shoal_unsent_bytes(int socket);

// Bytes that have come and were not read yet (FIONREAD); -1 on error.
int shoal_unread_bytes(int socket);

// sem_clockwait(3) on the monotonic clock, a GNU extension: 0, or -1 with errno ETIMEDOUT once that instant has come.
int shoal_wait_until(sem_t *semaphore, uint64_t nanoseconds);

// pidfd_open(2), close-on-exec: readable once the process has ended; -1 on error. glibc has it since 2.36 only.
int shoal_pidfd(pid_t process);

// pipe2(2), close-on-exec: a GNU extension that the Swift overlay hides.
int shoal_pipe(int ends[2]);

// open(2) with a mode, close-on-exec.
int shoal_open(const char *path, int flags, mode_t mode);

// Names the calling thread for debuggers and top(1); at most 15 bytes.
void shoal_name_thread(const char *name);

// accept4(2), non-blocking and close-on-exec: a GNU extension that the Swift overlay hides.
int shoal_accept(int socket, struct sockaddr *address, socklen_t *length);

// Removes a directory and everything below it, without following links; what cannot be removed stays.
void shoal_remove_tree(const char *path);

// Unmaps the code pages that were touched so far, of the program and of its libraries. They stay in the page cache and
// come back when they run again; what only the start needed does not.
void shoal_release_code_pages(void);

// A file without a name, in memory, close-on-exec: memfd_create(2), a GNU extension. -1 on error.
int shoal_memory_file(const char *name);

// fork(2), which Swift does not let through. For a process that has no other thread yet.
pid_t shoal_fork(void);

// Lets the calling process get SIGTERM when its parent ends: PR_SET_PDEATHSIG of prctl(2).
void shoal_die_with_parent(void);
