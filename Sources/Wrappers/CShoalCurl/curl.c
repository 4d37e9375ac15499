#include "shoal_curl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static struct {
    CURLcode (*global_init)(long);
    CURL *(*easy_init)(void);
    void (*easy_reset)(CURL *);
    void (*easy_cleanup)(CURL *);
    CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
    CURLcode (*easy_perform)(CURL *);
    const char *(*easy_strerror)(CURLcode);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    void (*slist_free_all)(struct curl_slist *);
} curl;

// The macros of curl.h check types through the names of the real functions, which are not linked here.
#undef curl_easy_setopt
#undef curl_easy_getinfo

const char *shoal_curl_load(void) {
    static char problem[256];
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *reason = dlerror();
        snprintf(problem, sizeof problem, "%s", reason == NULL ? "libcurl.so.4 could not be loaded" : reason);
        return problem;
    }
    struct {
        const char *name;
        void **place;
    } symbols[] = {
        {"curl_global_init", (void **)&curl.global_init},
        {"curl_easy_init", (void **)&curl.easy_init},
        {"curl_easy_reset", (void **)&curl.easy_reset},
        {"curl_easy_cleanup", (void **)&curl.easy_cleanup},
        {"curl_easy_setopt", (void **)&curl.easy_setopt},
        {"curl_easy_getinfo", (void **)&curl.easy_getinfo},
        {"curl_easy_perform", (void **)&curl.easy_perform},
        {"curl_easy_strerror", (void **)&curl.easy_strerror},
        {"curl_slist_append", (void **)&curl.slist_append},
        {"curl_slist_free_all", (void **)&curl.slist_free_all},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        *symbols[i].place = dlsym(library, symbols[i].name);
        if (*symbols[i].place == NULL) {
            snprintf(problem, sizeof problem, "libcurl.so.4 has no %s", symbols[i].name);
            return problem;
        }
    }
    return curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? NULL : "libcurl could not be initialized";
}

void *shoal_curl_new(void) { return curl.easy_init(); }

void shoal_curl_free(void *handle) { curl.easy_cleanup(handle); }

const char *shoal_curl_error(int code) { return curl.easy_strerror((CURLcode)code); }

int shoal_curl_is_connect_failure(int code) {
    return code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST;
}

int shoal_curl_is_distrust(int code) {
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE || code == CURLE_SSL_ISSUER_ERROR;
}

// What the callbacks of libcurl get as their user data.
struct exchange {
    const struct shoal_curl_callbacks *callbacks;
    void *context;
};

static size_t on_body(char *bytes, size_t size, size_t count, void *user) {
    struct exchange *exchange = user;
    return exchange->callbacks->body(exchange->context, bytes, size * count);
}

static size_t on_header(char *bytes, size_t size, size_t count, void *user) {
    struct exchange *exchange = user;
    return exchange->callbacks->header(exchange->context, bytes, size * count);
}

static size_t on_read(char *bytes, size_t size, size_t count, void *user) {
    struct exchange *exchange = user;
    size_t filled = exchange->callbacks->read(exchange->context, bytes, size * count);
    return filled == SIZE_MAX ? CURL_READFUNC_ABORT : filled;
}

static int on_seek(void *user, curl_off_t offset, int origin) {
    struct exchange *exchange = user;
    if (origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
    return exchange->callbacks->seek(exchange->context, offset) == 0 ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

static int on_progress(void *user, curl_off_t to_load, curl_off_t loaded, curl_off_t to_send, curl_off_t sent) {
    struct exchange *exchange = user;
    (void)to_load;
    (void)loaded;
    return exchange->callbacks->progress(exchange->context, sent, to_send);
}

static struct curl_slist *header_list(const char *const *headers) {
    struct curl_slist *list = NULL;
    for (; *headers != NULL; headers++) {
        struct curl_slist *longer = curl.slist_append(list, *headers);
        if (longer == NULL) break;
        list = longer;
    }
    return list;
}

/// Whether the URL is of this machine, which no proxy can reach for us.
static int is_loopback(const char *url) {
    const char *host = strstr(url, "://");
    if (host == NULL) return 0;
    host += 3;
    size_t length = strcspn(host, "/?#");
    const char *user_end = memchr(host, '@', length);
    if (user_end != NULL) {
        length -= (size_t)(user_end + 1 - host);
        host = user_end + 1;
    }
    return strncmp(host, "127.", 4) == 0 || strncmp(host, "[::1]", 5) == 0
        || (strncmp(host, "localhost", 9) == 0 && (length == 9 || host[9] == ':'));
}

static void set_request(CURL *handle, const struct shoal_curl_request *request, struct curl_slist *headers) {
    curl.easy_setopt(handle, CURLOPT_URL, request->url);
    if (is_loopback(request->url)) curl.easy_setopt(handle, CURLOPT_NOPROXY, "*");
    // Both spellings of a path are the caller's business: what was signed is what must be sent.
    curl.easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
    curl.easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl.easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout_ms);
    curl.easy_setopt(handle, CURLOPT_TIMEOUT_MS, request->timeout_ms);
    if (request->ca_file != NULL) curl.easy_setopt(handle, CURLOPT_CAINFO, request->ca_file);
    if (request->trusts_anybody) {
        curl.easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 0L);
        curl.easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 0L);
    }
    if (request->body_size >= 0) {
        curl.easy_setopt(handle, CURLOPT_UPLOAD, 1L);
        curl.easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->body_size);
    } else if (request->method[0] == 'H') {
        curl.easy_setopt(handle, CURLOPT_NOBODY, 1L);
    }
    curl.easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->method);
    curl.easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

int shoal_curl_perform(void *handle, const struct shoal_curl_request *request,
                       const struct shoal_curl_callbacks *callbacks, void *context, long *status) {
    struct exchange exchange = {callbacks, context};
    struct curl_slist *headers = header_list(request->headers);

    curl.easy_reset(handle);
    set_request(handle, request, headers);
    curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
    curl.easy_setopt(handle, CURLOPT_WRITEDATA, &exchange);
    curl.easy_setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
    curl.easy_setopt(handle, CURLOPT_HEADERDATA, &exchange);
    curl.easy_setopt(handle, CURLOPT_READFUNCTION, on_read);
    curl.easy_setopt(handle, CURLOPT_READDATA, &exchange);
    curl.easy_setopt(handle, CURLOPT_SEEKFUNCTION, on_seek);
    curl.easy_setopt(handle, CURLOPT_SEEKDATA, &exchange);
    curl.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl.easy_setopt(handle, CURLOPT_XFERINFODATA, &exchange);
    curl.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);

    CURLcode code = curl.easy_perform(handle);
    curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
    // The handle outlives the list and the exchange.
    curl.easy_reset(handle);
    curl.slist_free_all(headers);
    return (int)code;
}
