#include "shoal_checksum.h"

#include <string.h>

// Declared here, as isa-l's headers are C99 with names of their own: crc.h of isa-l 2.30.
extern uint32_t crc32_gzip_refl(uint32_t crc, const unsigned char *buf, uint64_t len);
extern unsigned int crc32_iscsi(unsigned char *buffer, int len, unsigned int crc);

uint32_t shoal_crc32(uint32_t crc, const uint8_t *bytes, size_t count) { return crc32_gzip_refl(crc, bytes, count); }

uint32_t shoal_crc32c(uint32_t crc, const uint8_t *bytes, size_t count) {
    crc = ~crc;
    while (count > 0) {
        // isa-l takes an int.
        int some = count > (1 << 30) ? (1 << 30) : (int)count;
        crc = crc32_iscsi((unsigned char *)bytes, some, crc);
        bytes += some;
        count -= (size_t)some;
    }
    return ~crc;
}

#define NVME_REFLECTED 0x9A6C9329AC4BC9B5ULL

static uint64_t table[8][256];

__attribute__((constructor)) static void fill_table(void) {
    for (int i = 0; i < 256; i++) {
        uint64_t crc = (uint64_t)i;
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc & 1) ? NVME_REFLECTED : 0);
        table[0][i] = crc;
    }
    for (int i = 0; i < 256; i++)
        for (int slice = 1; slice < 8; slice++)
            table[slice][i] = table[0][table[slice - 1][i] & 0xFF] ^ (table[slice - 1][i] >> 8);
}

// Without the inversions at both ends.
static uint64_t raw(uint64_t crc, const uint8_t *bytes, size_t count) {
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        word ^= crc;
        crc = table[7][word & 0xFF] ^ table[6][(word >> 8) & 0xFF] ^ table[5][(word >> 16) & 0xFF] ^
              table[4][(word >> 24) & 0xFF] ^ table[3][(word >> 32) & 0xFF] ^ table[2][(word >> 40) & 0xFF] ^
              table[1][(word >> 48) & 0xFF] ^ table[0][word >> 56];
    }
    for (; count > 0; bytes++, count--) crc = table[0][(crc ^ *bytes) & 0xFF] ^ (crc >> 8);
    return crc;
}

uint64_t shoal_crc64nvme_portable(uint64_t crc, const uint8_t *bytes, size_t count) { return ~raw(~crc, bytes, count); }

#if defined(__x86_64__)
#include <immintrin.h>

// Folding constants: the reflection of x^n mod P for n = 511, 575 (four lanes) and 127, 191 (one lane).
#define K_127 0x21E9761E252621ACULL
#define K_191 0xEADC41FD2BA3D420ULL
#define K_511 0x62242240ACE5045AULL
#define K_575 0x0C32CDB31E18A84AULL

__attribute__((target("pclmul,sse2"))) static inline __m128i fold(__m128i lane, __m128i keys, __m128i next) {
    __m128i low = _mm_clmulepi64_si128(lane, keys, 0x00);
    __m128i high = _mm_clmulepi64_si128(lane, keys, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

__attribute__((target("pclmul,sse2"))) static uint64_t folded(uint64_t crc, const uint8_t *bytes, size_t count) {
    const __m128i by512 = _mm_set_epi64x((long long)K_511, (long long)K_575);
    const __m128i by128 = _mm_set_epi64x((long long)K_127, (long long)K_191);
    const __m128i *words = (const __m128i *)bytes;
    __m128i lane[4];
    for (int i = 0; i < 4; i++) lane[i] = _mm_loadu_si128(words + i);
    lane[0] = _mm_xor_si128(lane[0], _mm_set_epi64x(0, (long long)crc));
    words += 4;
    count -= 64;
    for (; count >= 64; words += 4, count -= 64)
        for (int i = 0; i < 4; i++) lane[i] = fold(lane[i], by512, _mm_loadu_si128(words + i));
    __m128i last = lane[0];
    for (int i = 1; i < 4; i++) last = fold(last, by128, lane[i]);
    for (; count >= 16; words++, count -= 16) last = fold(last, by128, _mm_loadu_si128(words));
    uint8_t rest[16];
    _mm_storeu_si128((__m128i *)rest, last);
    return raw(raw(0, rest, 16), (const uint8_t *)words, count);
}

uint64_t shoal_crc64nvme(uint64_t crc, const uint8_t *bytes, size_t count) {
    if (count < 128 || !__builtin_cpu_supports("pclmul")) return shoal_crc64nvme_portable(crc, bytes, count);
    return ~folded(~crc, bytes, count);
}
#else
uint64_t shoal_crc64nvme(uint64_t crc, const uint8_t *bytes, size_t count) {
    return shoal_crc64nvme_portable(crc, bytes, count);
}
#endif
