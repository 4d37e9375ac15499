#define _GNU_SOURCE
#include "shoal_system.h"

#include <pthread.h>

int shoal_unsent_bytes(int socket) {
    int count = 0;
    return ioctl(socket, TIOCOUTQ, &count) == 0 ? count : -1;
}

int shoal_open(const char *path, int flags, mode_t mode) { return open(path, flags | O_CLOEXEC, mode); }

int shoal_accept(int socket, struct sockaddr *address, socklen_t *length) {
    return accept4(socket, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void shoal_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
