/* response.c - reads an HTTP/1.1 response as its bytes come, and compares it with what was expected. */
#define _GNU_SOURCE
#include "loadgen.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Makes the connection ready for the head of a response. */
void reset_response(struct conn *c) {
    c->rs = R_HEAD;
    c->hdr_len = c->line_len = 0;
    c->status = c->http10 = c->chunked = c->close_after = c->any_byte = 0;
    c->etag_ok = c->body_ok = 1;
    c->clen = -1;
    c->got = c->left = 0;
}

static const char *header(const char *line, const char *name) {
    size_t n = strlen(name);
    if (strncasecmp(line, name, n) || line[n] != ':') return NULL;
    line += n + 1;
    while (*line == ' ') line++;
    return line;
}

static void parse_head(struct conn *c) {
    const struct rec *r = c->rec;
    char *p = c->hdr;
    p[c->hdr_len] = 0;
    int keep = 0, saw_etag = 0;
    c->http10 = !strncmp(p, "HTTP/1.0", 8);
    c->status = atoi(p + 9);
    while ((p = strstr(p, "\r\n")) && p[2] != '\r') {
        const char *v;
        p += 2;
        if ((v = header(p, "Content-Length"))) {
            c->clen = atoll(v);
        } else if ((v = header(p, "Transfer-Encoding"))) {
            c->chunked = !strncasecmp(v, "chunked", 7);
        } else if ((v = header(p, "Connection"))) {
            c->close_after = !strncasecmp(v, "close", 5);
            keep = !strncasecmp(v, "keep-alive", 10);
        } else if (r->etag[0] && (v = header(p, "ETag"))) {
            if (*v == '"') v++;
            saw_etag = !strncmp(v, r->etag, 32) && !isalnum((unsigned char)v[32]) && v[32] != '-';
        }
    }
    if (c->http10 && !keep) c->close_after = 1;
    if (r->etag[0] && !saw_etag) c->etag_ok = 0;
    if (c->status / 100 == 1) { /* interim response: the real one follows */
        reset_response(c);
        c->any_byte = 1;
        return;
    }
    if (r->flags & F_HEAD || c->status == 204 || c->status == 304) {
        c->rs = R_DONE;
    } else if (c->chunked) {
        c->rs = R_CSIZE;
    } else if (c->clen >= 0) {
        c->left = c->clen;
        c->rs = c->clen ? R_BODY : R_DONE;
    } else {
        c->rs = R_EOF;
        c->close_after = 1;
    }
}

static void take_body(struct conn *c, const char *p, size_t n) {
    const struct rec *r = c->rec;
    if (r->flags & F_VERIFY && c->status / 100 == 2) {
        uint64_t at = r->resp_off + (uint64_t)c->got;
        if (at + n > body_size || memcmp(body_map + at, p, n)) c->body_ok = 0;
    } else if (c->status / 100 != 2 && c->hdr_len + n < HDR_MAX) {
        memcpy(c->hdr + c->hdr_len, p, n); /* error text, for the report */
        c->hdr_len += n;
    }
    c->got += (int64_t)n;
}

/* Takes what was received; the response is complete when its state is R_DONE. */
void feed(struct conn *c, const char *p, size_t n) {
    while (n && c->rs != R_DONE) {
        size_t k;
        switch (c->rs) {
        case R_HEAD:
            if (c->hdr_len >= HDR_MAX - 1) {
                c->rs = R_DONE;
                c->close_after = 1;
                return;
            }
            c->hdr[c->hdr_len++] = *p++;
            n--;
            if (c->hdr_len >= 4 && !memcmp(c->hdr + c->hdr_len - 4, "\r\n\r\n", 4)) parse_head(c);
            break;
        case R_BODY:
            k = (uint64_t)c->left < n ? (size_t)c->left : n;
            take_body(c, p, k);
            p += k;
            n -= k;
            if (!(c->left -= (int64_t)k)) c->rs = R_DONE;
            break;
        case R_EOF:
            take_body(c, p, n);
            return;
        case R_CSIZE:
        case R_TRAILER:
            if (*p == '\n') {
                c->line[c->line_len] = 0;
                if (c->rs == R_TRAILER) {
                    if (!c->line_len) c->rs = R_DONE;
                } else {
                    c->left = strtoll(c->line, NULL, 16);
                    c->rs = c->left ? R_CDATA : R_TRAILER;
                }
                c->line_len = 0;
            } else if (*p != '\r' && c->line_len < sizeof c->line - 1) {
                c->line[c->line_len++] = *p;
            }
            p++;
            n--;
            break;
        case R_CDATA:
            k = (uint64_t)c->left < n ? (size_t)c->left : n;
            take_body(c, p, k);
            p += k;
            n -= k;
            if (!(c->left -= (int64_t)k)) c->rs = R_CCRLF;
            break;
        case R_CCRLF:
            if (*p == '\n') c->rs = R_CSIZE;
            p++;
            n--;
            break;
        case R_DONE:
            break;
        }
    }
}
