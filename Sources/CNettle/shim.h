#include <nettle/cmac.h>
#include <nettle/version.h>

/// AES-CMAC with a key of 128 bits (RFC 4493). Macros give nettle's functions and contexts their names, which Swift does not
/// import; and nettle 4 no longer asks for the length of a digest.
static inline void cnettle_cmac_aes128(const uint8_t *key, const uint8_t *message, size_t length, uint8_t *digest) {
  struct cmac_aes128_ctx context;
  cmac_aes128_set_key(&context, key);
  cmac_aes128_update(&context, length, message);
#if NETTLE_VERSION_MAJOR >= 4
  cmac_aes128_digest(&context, digest);
#else
  cmac_aes128_digest(&context, CMAC128_DIGEST_SIZE, digest);
#endif
}
