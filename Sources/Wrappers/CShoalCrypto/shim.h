#pragma once
// The digests are used through OpenSSL's low-level functions: a state is a plain value, so hashing allocates nothing and
// needs no provider to be loaded, which is megabytes and milliseconds at the start of a process. They are deprecated in
// favour of an interface that fits hardware modules, not for a flaw, and stay for the life of OpenSSL 3.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/md5.h>
#include <openssl/sha.h>
