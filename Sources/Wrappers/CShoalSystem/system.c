#define _GNU_SOURCE
#include "shoal_system.h"

int shoal_unsent_bytes(int socket) {
    int count = 0;
    return ioctl(socket, TIOCOUTQ, &count) == 0 ? count : -1;
}

int shoal_open(const char *path, int flags, mode_t mode) { return open(path, flags | O_CLOEXEC, mode); }
