#pragma once
#include <stddef.h>
#include <stdint.h>

// Running checksums: pass 0 as the first `crc`, then each result in turn.

// CRC-32 (ISO-HDLC, the one of zlib), by isa-l.
uint32_t shoal_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

// CRC-32C (Castagnoli), by isa-l.
uint32_t shoal_crc32c(uint32_t crc, const uint8_t *bytes, size_t count);

// CRC-64/NVME: polynomial 0xAD93D23594C93659, reflected, init and xor-out all ones.
// Carry-less multiplication where the processor has it, slicing by 8 elsewhere.
uint64_t shoal_crc64nvme(uint64_t crc, const uint8_t *bytes, size_t count);

// The portable form of the above, for comparison in tests.
uint64_t shoal_crc64nvme_portable(uint64_t crc, const uint8_t *bytes, size_t count);
