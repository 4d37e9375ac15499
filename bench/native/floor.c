/* floor.c - the least an HTTP object store can do, as a measured lower bound.
 *
 *   floor PORT DIR MODE THREADS [onetmp] [md5] [sha256] [sync]
 *
 * It knows PUT, GET, HEAD and DELETE of a path and nothing else: no signature,
 * no listing, no metadata, no recovery.  It shows what one machine's kernel,
 * disk and hash functions allow, so that a real store can be compared with
 * something better than another store.  Not a server to use.
 *
 * MODE null  reads the body and forgets it
 *      file  one file per object: create a temporary, write, rename; 256 folders
 *      log   small and large bodies appended to one file per thread, with an
 *            index in memory
 * onetmp  file: all temporaries in one folder, not each in the folder where it ends up
 * md5, sha256  hash each body (OpenSSL); md5 is returned as the ETag
 * sync  fdatasync before the answer: file: each object; log: one fdatasync for
 *       all the objects that arrived in one epoll round (group commit)
 *
 * Build: cc -O2 -o floor floor.c -lcrypto -lpthread
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUL, FIL, LOG };
static int mode, do_md5, do_sha, do_sync, one_tmp, port;
static const char *dir;

/* index: key hash -> where the bytes are */
struct slot {
    uint64_t key;
    int fd;
    int64_t off, len;
    char etag[33];
};
#define SLOTS (1u << 22)
static struct slot *idx;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t hash(const char *s, size_t n) {
    uint64_t h = 1469598103934665603ull;
    while (n--) h = (h ^ (unsigned char)*s++) * 1099511628211ull;
    return h ? h : 1;
}

static struct slot *find(uint64_t k) {
    uint32_t i = (uint32_t)(k >> 20) & (SLOTS - 1);
    while (idx[i].key && idx[i].key != k) i = (i + 1) & (SLOTS - 1);
    return &idx[i];
}

struct conn {
    int fd, in_body, is_put, want_out, out_fd;
    char in[65536];
    size_t in_len;
    uint64_t key;
    int64_t left, len, log_off;
    int obj_fd;
    EVP_MD_CTX *md5, *sha;
    char out[512];
    size_t out_len, out_done;
    off_t send_off;
    int64_t send_left;
    int deferred;
};

struct thread {
    int ep, lfd, log_fd, n;
    int64_t log_end;
    char *buf;
    struct conn *pending[1024];
    int n_pending, dirty;
};
#define BUF (1 << 20)

static void flush_out(struct thread *t, struct conn *c);

static void answer(struct thread *t, struct conn *c, const char *status, const char *etag, int64_t len,
                   int body_follows) {
    char e[64] = "";
    if (etag && *etag) snprintf(e, sizeof e, "ETag: \"%s\"\r\n", etag);
    c->out_len = (size_t)snprintf(c->out, sizeof c->out, "HTTP/1.1 %s\r\nContent-Length: %lld\r\n%s\r\n", status,
                                  (long long)len, e);
    c->out_done = 0;
    if (!body_follows) c->send_left = 0;
    if (do_sync && mode == LOG && c->is_put && t->n_pending < 1024) {
        t->pending[t->n_pending++] = c;
        t->dirty = 1;
        return;
    }
    flush_out(t, c);
}

static void flush_out(struct thread *t, struct conn *c) {
    while (c->out_done < c->out_len) {
        int flags = MSG_NOSIGNAL | (c->send_left ? MSG_MORE : 0);
        ssize_t n = send(c->fd, c->out + c->out_done, c->out_len - c->out_done, flags);
        if (n < 0) goto blocked;
        c->out_done += (size_t)n;
    }
    while (c->send_left) {
        ssize_t n = sendfile(c->fd, c->out_fd, &c->send_off, (size_t)(c->send_left > BUF ? BUF : c->send_left));
        if (n <= 0) goto blocked;
        c->send_left -= n;
    }
    if (c->out_fd >= 0 && mode == FIL) {
        close(c->out_fd);
        c->out_fd = -1;
    }
    if (c->want_out) {
        c->want_out = 0;
        struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
        epoll_ctl(t->ep, EPOLL_CTL_MOD, c->fd, &e);
    }
    return;
blocked:
    if (errno == EAGAIN && !c->want_out) {
        c->want_out = 1;
        struct epoll_event e = {.events = EPOLLIN | EPOLLOUT, .data.ptr = c};
        epoll_ctl(t->ep, EPOLL_CTL_MOD, c->fd, &e);
    }
}

/* "Range: bytes=A-B" of a GET: narrows what is sent. */
static const char *range(const char *head, const char *end, off_t *off, int64_t *len) {
    for (const char *h = head; (h = memchr(h, '\n', (size_t)(end - h))) && ++h < end;) {
        long long a, b;
        if (!strncasecmp(h, "range:", 6) && sscanf(h + 6, " bytes=%lld-%lld", &a, &b) == 2 && a <= b && b < *len) {
            *off += a;
            *len = b - a + 1;
            return "206 Partial Content";
        }
    }
    return "200 OK";
}

static void tmp_of(char *p, const struct thread *t, const struct conn *c) {
    if (one_tmp) {
        snprintf(p, 512, "%s/tmp.%d.%d", dir, t->n, c->fd);
    } else {
        snprintf(p, 512, "%s/%02x/tmp.%d.%d", dir, (unsigned)(c->key & 0xff), t->n, c->fd);
    }
}

static void path_of(char *p, uint64_t key) {
    snprintf(p, 512, "%s/%02x/%016llx", dir, (unsigned)(key & 0xff), (unsigned long long)key);
}

static void body(struct thread *t, struct conn *c, const char *p, size_t n) {
    if (do_md5) EVP_DigestUpdate(c->md5, p, n);
    if (do_sha) EVP_DigestUpdate(c->sha, p, n);
    if (mode == FIL) {
        while (n) {
            ssize_t k = write(c->obj_fd, p, n);
            if (k < 0) { perror("write"); exit(1); }
            p += k;
            n -= (size_t)k;
            c->left -= k;
        }
    } else if (mode == LOG) {
        int64_t at = c->log_off + (c->len - c->left);
        c->left -= (int64_t)n;
        while (n) {
            ssize_t k = pwrite(t->log_fd, p, n, at);
            if (k < 0) { perror("pwrite"); exit(1); }
            p += k;
            n -= (size_t)k;
            at += k;
        }
    } else {
        c->left -= (int64_t)n;
    }
}

static void put_done(struct thread *t, struct conn *c) {
    char etag[33] = "";
    unsigned char d[64];
    unsigned dn;
    if (do_sha) EVP_DigestFinal_ex(c->sha, d, &dn);
    if (do_md5) {
        EVP_DigestFinal_ex(c->md5, d, &dn);
        for (unsigned i = 0; i < 16; i++) sprintf(etag + 2 * i, "%02x", d[i]);
    }
    if (mode == FIL) {
        char a[512], b[512];
        if (do_sync) fdatasync(c->obj_fd);
        close(c->obj_fd);
        tmp_of(a, t, c);
        path_of(b, c->key);
        if (rename(a, b)) { perror("rename"); exit(1); }
    } else {
        pthread_mutex_lock(&lock);
        struct slot *s = find(c->key);
        s->key = c->key;
        s->fd = t->log_fd;
        s->off = c->log_off;
        s->len = c->len;
        strcpy(s->etag, etag);
        pthread_mutex_unlock(&lock);
    }
    answer(t, c, "200 OK", etag, 0, 0);
}

static void request(struct thread *t, struct conn *c, char *head, size_t head_len) {
    char *end = head + head_len;
    char *sp = memchr(head, ' ', head_len), *q = sp + 1;
    while (*q != ' ' && *q != '?') q++;
    c->key = hash(sp + 1, (size_t)(q - sp - 1));
    c->is_put = head[0] == 'P';
    if (c->is_put) {
        c->len = 0;
        for (char *h = head; (h = memchr(h, '\n', (size_t)(end - h))) && ++h < end;)
            if (!strncasecmp(h, "content-length:", 15)) c->len = atoll(h + 15);
        c->left = c->len;
        c->in_body = 1;
        if (do_md5) EVP_DigestInit_ex(c->md5, EVP_md5(), NULL);
        if (do_sha) EVP_DigestInit_ex(c->sha, EVP_sha256(), NULL);
        if (mode == FIL) {
            char a[512];
            tmp_of(a, t, c);
            c->obj_fd = open(a, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
            if (c->obj_fd < 0) { perror(a); exit(1); }
        } else if (mode == LOG) {
            c->log_off = t->log_end;
            t->log_end += c->len + 64;
        }
        return;
    }
    if (mode == FIL) {
        char b[512];
        struct stat st;
        path_of(b, c->key);
        if (head[0] == 'D') {
            answer(t, c, unlink(b) ? "404 Not Found" : "204 No Content", NULL, 0, 0);
        } else if ((c->out_fd = open(b, O_RDONLY | O_CLOEXEC)) < 0) {
            answer(t, c, "404 Not Found", NULL, 0, 0);
        } else {
            fstat(c->out_fd, &st);
            c->send_off = 0;
            int64_t len = st.st_size;
            const char *status = range(head, end, &c->send_off, &len);
            c->send_left = head[0] == 'G' ? len : 0;
            answer(t, c, status, NULL, len, 1);
        }
        return;
    }
    pthread_mutex_lock(&lock);
    struct slot *s = find(c->key), v = *s;
    if (head[0] == 'D' && s->key) s->len = -1;
    pthread_mutex_unlock(&lock);
    if (head[0] == 'D') {
        answer(t, c, "204 No Content", NULL, 0, 0);
    } else if (!v.key || v.len < 0) {
        answer(t, c, "404 Not Found", NULL, 0, 0);
    } else {
        c->out_fd = v.fd;
        c->send_off = v.off;
        int64_t len = v.len;
        const char *status = range(head, end, &c->send_off, &len);
        c->send_left = head[0] == 'G' && mode == LOG ? len : 0;
        answer(t, c, status, v.etag, mode == NUL && head[0] == 'G' ? 0 : len, 1);
    }
}

static void readable(struct thread *t, struct conn *c) {
    for (int spin = 0; spin < 8; spin++) {
        if (c->in_body) { /* straight into the big buffer */
            size_t want = c->left > BUF ? BUF : (size_t)c->left;
            ssize_t n = recv(c->fd, t->buf, want, 0);
            if (n == 0 || (n < 0 && errno != EAGAIN)) goto gone;
            if (n < 0) return;
            body(t, c, t->buf, (size_t)n);
        } else {
            ssize_t n = recv(c->fd, c->in + c->in_len, sizeof c->in - c->in_len, 0);
            if (n == 0 || (n < 0 && errno != EAGAIN)) goto gone;
            if (n < 0) return;
            c->in_len += (size_t)n;
            char *e = memmem(c->in, c->in_len, "\r\n\r\n", 4);
            if (!e) {
                if (c->in_len == sizeof c->in) goto gone;
                continue;
            }
            size_t hl = (size_t)(e + 4 - c->in);
            request(t, c, c->in, hl);
            size_t extra = c->in_len - hl;
            c->in_len = 0;
            if (c->in_body && extra) body(t, c, c->in + hl, extra);
        }
        if (c->in_body && c->left == 0) {
            c->in_body = 0;
            put_done(t, c);
        }
        if (!c->in_body) return;
    }
    return;
gone:
    close(c->fd);
    EVP_MD_CTX_free(c->md5);
    EVP_MD_CTX_free(c->sha);
    free(c);
}

static void *run(void *arg) {
    struct thread *t = arg;
    struct sockaddr_in a = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1;
    t->lfd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(t->lfd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    setsockopt(t->lfd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    if (bind(t->lfd, (struct sockaddr *)&a, sizeof a) || listen(t->lfd, 1024)) { perror("bind"); exit(1); }
    t->ep = epoll_create1(EPOLL_CLOEXEC);
    t->buf = malloc(BUF);
    if (mode == LOG) {
        char p[512];
        snprintf(p, sizeof p, "%s/log.%d", dir, t->n);
        t->log_fd = open(p, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0644);
        if (t->log_fd < 0) { perror(p); exit(1); }
    }
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = NULL}, ev[256];
    epoll_ctl(t->ep, EPOLL_CTL_ADD, t->lfd, &e);
    for (;;) {
        int k = epoll_wait(t->ep, ev, 256, -1);
        for (int i = 0; i < k; i++) {
            struct conn *c = ev[i].data.ptr;
            if (!c) {
                int fd;
                while ((fd = accept4(t->lfd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
                    c = calloc(1, sizeof *c);
                    c->fd = fd;
                    c->out_fd = -1;
                    c->md5 = EVP_MD_CTX_new();
                    c->sha = EVP_MD_CTX_new();
                    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                    struct epoll_event f = {.events = EPOLLIN, .data.ptr = c};
                    epoll_ctl(t->ep, EPOLL_CTL_ADD, fd, &f);
                }
                continue;
            }
            if (ev[i].events & EPOLLOUT) flush_out(t, c);
            if (ev[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) readable(t, c);
        }
        if (t->dirty) { /* group commit: one sync, then all the answers */
            fdatasync(t->log_fd);
            for (int i = 0; i < t->n_pending; i++) flush_out(t, t->pending[i]);
            t->n_pending = t->dirty = 0;
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: floor PORT DIR null|file|log THREADS [onetmp] [md5] [sha256] [sync]\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    port = atoi(argv[1]);
    dir = argv[2];
    mode = !strcmp(argv[3], "null") ? NUL : !strcmp(argv[3], "file") ? FIL : LOG;
    int n = atoi(argv[4]);
    for (int i = 5; i < argc; i++) {
        one_tmp |= !strcmp(argv[i], "onetmp");
        do_md5 |= !strcmp(argv[i], "md5");
        do_sha |= !strcmp(argv[i], "sha256");
        do_sync |= !strcmp(argv[i], "sync");
    }
    mkdir(dir, 0755);
    for (int i = 0; i < 256 && mode == FIL; i++) {
        char p[512];
        snprintf(p, sizeof p, "%s/%02x", dir, i);
        mkdir(p, 0755);
    }
    idx = calloc(SLOTS, sizeof *idx);
    struct thread *ts = calloc((size_t)n, sizeof *ts);
    pthread_t last;
    for (int i = 0; i < n; i++) {
        ts[i].n = i;
        pthread_create(&last, NULL, run, &ts[i]);
    }
    pthread_join(last, NULL);
    return 0;
}
