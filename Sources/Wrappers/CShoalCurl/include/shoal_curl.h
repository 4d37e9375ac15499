#pragma once
// libcurl, found at run time: what Swift cannot import of it (variadic functions, macros), and nothing linked, because
// only the command line and webhooks speak HTTP as a client, and a server without them should not pay for it at its start.
#include <stddef.h>
#include <stdint.h>

// Loads the library once per process; null, or why it could not be loaded (static text).
const char *shoal_curl_load(void);

// What a transfer calls back; `context` is the one given to shoal_curl_set_callbacks.
struct shoal_curl_callbacks {
    // Returns how many bytes were taken; anything else than `count` ends the transfer.
    size_t (*body)(void *context, const char *bytes, size_t count);
    // One header line, CRLF included.
    size_t (*header)(void *context, const char *bytes, size_t count);
    // Fills at most `count` bytes and returns how many; 0 at the end, SIZE_MAX to end the transfer.
    size_t (*read)(void *context, char *bytes, size_t count);
    // Back to an absolute offset of the request body, for a resend; 0 if that went well.
    int (*seek)(void *context, int64_t offset);
    // Bytes of the request body that left so far; anything else than 0 ends the transfer.
    int (*progress)(void *context, int64_t sent, int64_t total);
};

struct shoal_curl_request {
    const char *method;
    const char *url;
    // "Name: value" lines, ended by null.
    const char *const *headers;
    // Bytes of the body; negative for none.
    int64_t body_size;
    // Milliseconds; 0 for no limit.
    long connect_timeout_ms;
    long timeout_ms;
    // A PEM file with the authorities to trust in place of the system's; null for the system's.
    const char *ca_file;
    // Whether the server may be anybody.
    int trusts_anybody;
};

// An easy handle; it keeps connections for the next request. Null without memory. Call shoal_curl_load first.
void *shoal_curl_new(void);
void shoal_curl_free(void *handle);

// Carries out one request and blocks until its end. 0, or a CURLcode; `status` is the last status received.
int shoal_curl_perform(void *handle, const struct shoal_curl_request *request,
                       const struct shoal_curl_callbacks *callbacks, void *context, long *status);

// The text of a CURLcode.
const char *shoal_curl_error(int code);

// Whether the CURLcode says that the server's certificate is not trusted, or that the file to trust cannot be used.
int shoal_curl_is_distrust(int code);

// Whether the CURLcode says that no connection could be made.
int shoal_curl_is_connect_failure(int code);
