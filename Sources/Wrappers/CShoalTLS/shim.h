#pragma once
// What Swift cannot import of OpenSSL: macros, variadic functions and typed stacks.
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline int shoal_tls_set_versions(SSL_CTX *context, int least, int most) {
    return SSL_CTX_set_min_proto_version(context, least) && SSL_CTX_set_max_proto_version(context, most);
}

static inline void shoal_tls_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    // A read returns at what is no data, so that a peer's key updates do not keep it for ever.
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

// An end without close_notify counts as an end.
static inline void shoal_tls_ignore_truncation(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
}

// A client that could resume an earlier session goes through a whole handshake.
static inline void shoal_tls_refuse_resumption(SSL *ssl) {
    SSL_set_options(ssl, SSL_OP_NO_TICKET);
    SSL_set_num_tickets(ssl, 0);
}

static inline void shoal_tls_read_ahead(SSL_CTX *context, size_t byte_count) {
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_default_read_buffer_len(context, byte_count);
}

// Tickets hold what is needed to resume; nothing is kept here.
static inline void shoal_tls_keep_no_sessions(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline int shoal_tls_set_server_name(SSL *ssl, const char *name) { return SSL_set_tlsext_host_name(ssl, name); }

static inline const char *shoal_tls_cipher(const SSL *ssl) { return SSL_get_cipher_name(ssl); }

// The number of the alert behind an error of the peer's sending; -1 if it is another error.
static inline int shoal_tls_alert(unsigned long error) {
    int reason = ERR_GET_REASON(error);
    if (ERR_GET_LIB(error) != ERR_LIB_SSL || reason < SSL_AD_REASON_OFFSET) return -1;
    return reason - SSL_AD_REASON_OFFSET;
}

static inline int shoal_tls_reason(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_SSL ? ERR_GET_REASON(error) : -1;
}

static inline EVP_PKEY *shoal_tls_new_key(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }

static inline size_t shoal_tls_memory(BIO *bio, const char **bytes) {
    return (size_t)BIO_get_mem_data(bio, (char **)bytes);
}

// Adds an extension; issuer and subject may be the same.
static inline int shoal_tls_add_extension(X509 *subject, X509 *issuer, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, subject, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    if (extension == NULL) return 0;
    int added = X509_add_ext(subject, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

// Uses a certificate, its key and what leads from it to a root, all of which stay the caller's.
static inline int shoal_tls_use(SSL *ssl, X509 *certificate, EVP_PKEY *key, X509 *const *chain, size_t count) {
    STACK_OF(X509) *stack = sk_X509_new_null();
    if (stack == NULL) return 0;
    for (size_t i = 0; i < count; i++) sk_X509_push(stack, chain[i]);
    int used = SSL_use_cert_and_key(ssl, certificate, key, stack, 1);
    sk_X509_free(stack);
    return used;
}
