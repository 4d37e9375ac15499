/* loadgen.h - a request as bench.py writes it, and a connection with the response it is reading. */
#ifndef LOADGEN_H
#define LOADGEN_H
#include <stddef.h>
#include <stdint.h>

enum { F_HEAD = 1, F_VERIFY = 2 };

struct __attribute__((packed)) rec {
    uint32_t head_len;
    uint16_t status;    /* expected status; 0: any 2xx */
    uint16_t flags;
    uint64_t body_off;  /* request body in BODYFILE */
    uint64_t body_len;
    uint64_t resp_off;  /* F_VERIFY: response body equals BODYFILE from here */
    int64_t resp_len;   /* expected body (HEAD: Content-Length); -1: any */
    char etag[32];      /* expected ETag without quotes; all zero: any */
};

enum rstate { R_HEAD, R_BODY, R_EOF, R_CSIZE, R_CDATA, R_CCRLF, R_TRAILER, R_DONE };

#define HDR_MAX 16384
#define BUF_SIZE (256 * 1024)
#define SMALL_BODY (32 * 1024)

struct conn {
    int fd;
    int connecting, want_out;
    int tries;            /* attempts of the current request */
    uint64_t served;      /* responses on this socket */
    const struct rec *rec;
    uint64_t sent;        /* bytes of head + body */
    uint64_t t0;
    enum rstate rs;
    char hdr[HDR_MAX];
    size_t hdr_len;
    int status, http10, chunked, close_after, etag_ok, body_ok, any_byte;
    int64_t clen, left, got;
    char line[64];
    size_t line_len;
};

/* The file that bodies are sent from and compared with. */
extern const char *body_map;
extern size_t body_size;

/* response.c */
void reset_response(struct conn *c);
void feed(struct conn *c, const char *p, size_t n);
#endif
