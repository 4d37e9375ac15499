/* loadgen.c - closed-loop HTTP/1.1 load generator used by bench.py.
 *
 *   loadgen HOST PORT REQFILE BODYFILE CONNS [DURATION_S [HARD_LIMIT_S]]
 *
 * One thread, one epoll.  CONNS keep-alive connections share one list of
 * ready-made requests (REQFILE); each connection has one request in flight and
 * takes the next one as soon as its response is complete (closed loop).  All
 * signing happens before, in bench.py, so a request costs this program one
 * send, one epoll_wait and one recv.  Bodies come from BODYFILE: small ones by
 * writev from a mapping, big ones by sendfile.
 *
 * Every response is checked, not only counted: status code, ETag, body length
 * and, where the request asks for it, each body byte against BODYFILE.
 *
 * REQFILE: records of `struct rec` (little endian, packed), each followed by
 * head_len bytes: the request line and headers up to the empty line.
 *
 * DURATION_S: no new request is issued after it (0: until the list ends).
 * HARD_LIMIT_S: requests still in flight then are failures.
 * One JSON object on stdout.  Exit status 0 even if requests failed; the
 * counts say so.
 */
#define _GNU_SOURCE
#include "loadgen.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_in addr;
static int ep;
static const char *reqs;
static size_t reqs_size, req_pos;
static uint64_t nrec, next_rec;
static int body_fd;
const char *body_map;
size_t body_size;
static uint64_t deadline, hard_deadline, t_begin, t_last;
static uint64_t *lat;
static uint64_t n_ok, n_status, n_etag, n_body, n_conn, n_late, reconnects, bytes_out, bytes_in;
static char first_error[512];
static int live, stopping;
static char buf[BUF_SIZE];

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void die(const char *what) {
    perror(what);
    exit(2);
}

/* Keeps the first failure for the report: the status line and what came after the header. */
static void note(const char *kind, struct conn *c) {
    if (first_error[0]) return;
    c->hdr[c->hdr_len] = 0;
    int n = snprintf(first_error, sizeof first_error, "%s: ", kind);
    const char *body = strstr(c->hdr, "\r\n\r\n");
    for (const char *p = c->hdr; *p && n < 400; p++) {
        if (body && *p == '\r' && p < body) p = body + 4;
        unsigned char ch = (unsigned char)*p;
        first_error[n++] = ch < 32 || ch == '"' || ch == '\\' || ch > 126 ? ' ' : (char)ch;
        if (!ch) break;
    }
    first_error[n] = 0;
}

static void arm(struct conn *c, int op) {
    struct epoll_event e = {.events = EPOLLIN | (c->want_out ? EPOLLOUT : 0), .data.ptr = c};
    if (epoll_ctl(ep, op, c->fd, &e)) die("epoll_ctl");
}

static void drop(struct conn *c) {
    if (c->fd >= 0) close(c->fd);
    c->fd = -1;
    c->served = 0;
}

static int open_conn(struct conn *c) {
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (c->fd < 0) die("socket");
    int one = 1;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    c->connecting = 0;
    if (connect(c->fd, (struct sockaddr *)&addr, sizeof addr)) {
        if (errno != EINPROGRESS) {
            drop(c);
            return -1;
        }
        c->connecting = 1;
    }
    c->want_out = c->connecting;
    arm(c, EPOLL_CTL_ADD);
    return 0;
}

/* Sends as much of the current request as the socket takes; -1: socket broke. */
static int send_some(struct conn *c) {
    const struct rec *r = c->rec;
    const char *head = (const char *)(r + 1);
    uint64_t total = r->head_len + r->body_len;
    while (c->sent < total) {
        ssize_t n;
        if (c->sent < r->head_len) {
            struct iovec v[2] = {{(void *)(head + c->sent), r->head_len - c->sent}, {0, 0}};
            struct msghdr m = {.msg_iov = v, .msg_iovlen = 1};
            int flags = MSG_NOSIGNAL;
            if (r->body_len && r->body_len <= SMALL_BODY) {
                v[1].iov_base = (void *)(body_map + r->body_off);
                v[1].iov_len = r->body_len;
                m.msg_iovlen = 2;
            } else if (r->body_len) {
                flags |= MSG_MORE;
            }
            n = sendmsg(c->fd, &m, flags);
        } else if (r->body_len <= SMALL_BODY) {
            uint64_t done = c->sent - r->head_len;
            n = send(c->fd, body_map + r->body_off + done, r->body_len - done, MSG_NOSIGNAL);
        } else {
            uint64_t done = c->sent - r->head_len;
            off_t off = (off_t)(r->body_off + done);
            uint64_t want = r->body_len - done;
            n = sendfile(c->fd, body_fd, &off, want > (1 << 20) ? (1 << 20) : want);
        }
        if (n < 0) {
            if (errno == EINTR) continue;
            if (errno != EAGAIN) return -1;
            if (!c->want_out) {
                c->want_out = 1;
                arm(c, EPOLL_CTL_MOD);
            }
            return 0;
        }
        c->sent += (uint64_t)n;
        bytes_out += (uint64_t)n;
    }
    if (c->want_out) {
        c->want_out = 0;
        arm(c, EPOLL_CTL_MOD);
    }
    return 0;
}

/* (Re)sends the current request; 0 on success. */
static int attempt(struct conn *c) {
    while (c->tries < 4) {
        c->tries++;
        c->sent = 0;
        reset_response(c);
        if (c->fd < 0 && open_conn(c)) continue;
        if (c->connecting) return 0;
        if (send_some(c) == 0) return 0;
        drop(c);
        reconnects++;
    }
    return -1;
}

/* Takes requests from the list until one is on its way or the list ends. */
static void next_request(struct conn *c) {
    for (;;) {
        c->rec = NULL;
        if (stopping || next_rec == nrec || (deadline && now() >= deadline)) break;
        const struct rec *r = (const struct rec *)(reqs + req_pos);
        req_pos += sizeof *r + r->head_len;
        next_rec++;
        c->rec = r;
        c->tries = 0;
        c->t0 = now();
        if (attempt(c) == 0) return;
        n_conn++;
        note("cannot send", c);
        if (n_conn > 100) stopping = 1;
    }
    drop(c);
    live--;
}

static void finish(struct conn *c) {
    const struct rec *r = c->rec;
    uint64_t t = now();
    int64_t len = r->flags & F_HEAD ? c->clen : c->got;
    int status_ok = r->status ? c->status == r->status : c->status / 100 == 2;
    if (!status_ok) {
        n_status++;
        note("unexpected status", c);
    } else if (!c->etag_ok) {
        n_etag++;
        note("wrong ETag", c);
    } else if (!c->body_ok || (r->resp_len >= 0 && len != r->resp_len)) {
        n_body++;
        note("wrong body or length", c);
    } else {
        lat[n_ok++] = t - c->t0;
    }
    t_last = t;
    c->served++;
    if (c->close_after || c->sent < r->head_len + r->body_len) {
        drop(c);
        reconnects++;
    }
    next_request(c);
}

static void on_eof(struct conn *c) {
    if (c->rs == R_EOF) {
        finish(c);
        return;
    }
    int stale = c->served > 0 && !c->any_byte;
    drop(c);
    reconnects++;
    if (stale && attempt(c) == 0) return; /* keep-alive closed under us: retry */
    n_conn++;
    note("connection closed", c);
    if (n_conn > 100) stopping = 1;
    next_request(c);
}

static void on_readable(struct conn *c) {
    for (int spins = 0; spins < 4; spins++) {
        ssize_t n = recv(c->fd, buf, sizeof buf, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n <= 0) {
            on_eof(c);
            return;
        }
        c->any_byte = 1;
        bytes_in += (uint64_t)n;
        feed(c, buf, (size_t)n);
        if (c->rs == R_DONE) {
            finish(c);
            return;
        }
        if ((size_t)n < sizeof buf) return;
    }
}

static int cmp(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static const char *map(const char *path, size_t *size, int *fd_out) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) die(path);
    *size = (size_t)st.st_size;
    *fd_out = fd;
    if (!st.st_size) return "";
    void *m = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (m == MAP_FAILED) die("mmap");
    return m;
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: loadgen HOST PORT REQFILE BODYFILE CONNS [DURATION_S [HARD_LIMIT_S]]\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    addr.sin_family = AF_INET;
    addr.sin_port = htons((uint16_t)atoi(argv[2]));
    if (inet_pton(AF_INET, argv[1], &addr.sin_addr) != 1) die("host must be an IPv4 address");
    int fd;
    reqs = map(argv[3], &reqs_size, &fd);
    body_map = map(argv[4], &body_size, &body_fd);
    int nconn = atoi(argv[5]);
    double dur = argc > 6 ? atof(argv[6]) : 0, hard = argc > 7 ? atof(argv[7]) : 300;
    uint64_t touch = 0; /* map what will be compared before the clock runs */
    for (size_t at = 0; at < reqs_size; nrec++) {
        const struct rec *r = (const struct rec *)(reqs + at);
        if (r->flags & F_VERIFY && r->resp_len > 0 && r->resp_off + (uint64_t)r->resp_len > touch)
            touch = r->resp_off + (uint64_t)r->resp_len;
        if (r->body_off > body_size || r->body_len > body_size - r->body_off) {
            fprintf(stderr, "record %llu: body outside BODYFILE\n", (unsigned long long)nrec);
            return 2;
        }
        at += sizeof *r + r->head_len;
    }
    if (touch && touch <= body_size) madvise((void *)body_map, touch, 22 /* MADV_POPULATE_READ */);
    lat = malloc(sizeof *lat * (nrec + 1));
    struct conn *conns = calloc((size_t)nconn, sizeof *conns);
    ep = epoll_create1(EPOLL_CLOEXEC);
    if (!lat || !conns || ep < 0) die("setup");

    t_begin = t_last = now();
    if (dur > 0) deadline = t_begin + (uint64_t)(dur * 1e9);
    hard_deadline = t_begin + (uint64_t)(hard * 1e9);
    live = nconn;
    for (int i = 0; i < nconn; i++) {
        conns[i].fd = -1;
        next_request(&conns[i]);
    }
    struct epoll_event ev[256];
    while (live > 0) {
        int k = epoll_wait(ep, ev, 256, 200);
        if (k < 0 && errno != EINTR) die("epoll_wait");
        for (int i = 0; i < k; i++) {
            struct conn *c = ev[i].data.ptr;
            if (c->fd < 0 || !c->rec) continue;
            if (ev[i].events & EPOLLOUT && (c->connecting || c->want_out)) {
                c->connecting = 0;
                if (send_some(c) && !(ev[i].events & EPOLLIN)) {
                    on_eof(c);
                    continue;
                }
            }
            if (ev[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) on_readable(c);
        }
        if (now() > hard_deadline) {
            for (int i = 0; i < nconn; i++) n_late += conns[i].rec != NULL;
            if (!first_error[0]) snprintf(first_error, sizeof first_error, "no response within the hard limit");
            t_last = now();
            break;
        }
    }
    qsort(lat, n_ok, sizeof *lat, cmp);
    double sum = 0;
    for (uint64_t i = 0; i < n_ok; i++) sum += (double)lat[i];
    struct rusage ru;
    getrusage(RUSAGE_SELF, &ru);
    double cpu = (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) +
                 (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6;
#define PCT(q) (n_ok ? (double)lat[(uint64_t)((double)(n_ok - 1) * (q))] / 1e6 : 0.0)
    printf("{\"ok\":%llu,\"bad_status\":%llu,\"bad_etag\":%llu,\"bad_body\":%llu,\"conn_errors\":%llu,"
           "\"late\":%llu,\"reconnects\":%llu,\"wall\":%.6f,\"p50_ms\":%.4f,\"p90_ms\":%.4f,"
           "\"p99_ms\":%.4f,\"max_ms\":%.4f,\"mean_ms\":%.4f,\"bytes_out\":%llu,\"bytes_in\":%llu,"
           "\"gen_cpu\":%.4f,\"first_error\":\"%s\"}\n",
           (unsigned long long)n_ok, (unsigned long long)n_status, (unsigned long long)n_etag,
           (unsigned long long)n_body, (unsigned long long)n_conn, (unsigned long long)n_late,
           (unsigned long long)reconnects, (double)(t_last - t_begin) / 1e9, PCT(.5), PCT(.9), PCT(.99),
           PCT(1), n_ok ? sum / (double)n_ok / 1e6 : 0.0, (unsigned long long)bytes_out,
           (unsigned long long)bytes_in, cpu, first_error);
    return 0;
}
