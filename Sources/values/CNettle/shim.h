#include <nettle/aes.h>
#include <nettle/base64.h>
#include <nettle/cbc.h>
#include <nettle/ccm.h>
#include <nettle/cfb.h>
#include <nettle/chacha-poly1305.h>
#include <nettle/curve25519.h>
#include <nettle/ecc.h>
#include <nettle/ecc-curve.h>
#include <nettle/gcm.h>
#include <nettle/hmac.h>
#include <nettle/md5.h>
#include <nettle/memops.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

// Macros give nettle's functions and contexts their names, which Swift does not import.

/// An expanded key of AES with 16, 24 or 32 bytes, and the function that uses it.
struct cnettle_aes {
  union {
    struct aes128_ctx of16;
    struct aes192_ctx of24;
    struct aes256_ctx of32;
  } key;
  nettle_cipher_func *function;
};

#define CNETTLE_AES_SET_KEY(member, name)                                                                              \
  (decrypts ? name##_set_decrypt_key : name##_set_encrypt_key)(&aes->key.member, key);                             \
  aes->function = (nettle_cipher_func *)(decrypts ? name##_decrypt : name##_encrypt)

static inline void cnettle_aes_set_key(struct cnettle_aes *aes, int decrypts, const uint8_t *key, size_t size) {
  if (size == 16) {
    CNETTLE_AES_SET_KEY(of16, aes128);
  } else if (size == 24) {
    CNETTLE_AES_SET_KEY(of24, aes192);
  } else {
    CNETTLE_AES_SET_KEY(of32, aes256);
  }
}

static inline void cnettle_aes_ecb(
    int decrypts, const uint8_t *key, size_t size, size_t length, uint8_t *result, const uint8_t *bytes) {
  struct cnettle_aes aes;
  cnettle_aes_set_key(&aes, decrypts, key, size);
  aes.function(&aes.key, length, result, bytes);
}

/// Changes the initialization vector.
static inline void cnettle_aes_cbc(
    int decrypts, const uint8_t *key, size_t size, uint8_t *vector, size_t length, uint8_t *result,
    const uint8_t *bytes) {
  struct cnettle_aes aes;
  cnettle_aes_set_key(&aes, decrypts, key, size);
  (decrypts ? nettle_cbc_decrypt : nettle_cbc_encrypt)(
      &aes.key, aes.function, AES_BLOCK_SIZE, vector, length, result, bytes);
}

/// The last block may be shorter. Both ways encrypt blocks.
static inline void cnettle_aes_cfb(
    int decrypts, const uint8_t *key, size_t size, uint8_t *vector, size_t length, uint8_t *result,
    const uint8_t *bytes) {
  struct cnettle_aes aes;
  cnettle_aes_set_key(&aes, 0, key, size);
  (decrypts ? nettle_cfb_decrypt : nettle_cfb_encrypt)(
      &aes.key, aes.function, AES_BLOCK_SIZE, vector, length, result, bytes);
}

/// The result has `length` bytes with the tag.
static inline void cnettle_aes_ccm_encrypt(
    const uint8_t *key, size_t size, const uint8_t *nonce, size_t nonce_size, const uint8_t *header,
    size_t header_size, size_t tag_size, size_t length, uint8_t *result, const uint8_t *bytes) {
  struct cnettle_aes aes;
  cnettle_aes_set_key(&aes, 0, key, size);
  ccm_encrypt_message(
      &aes.key, aes.function, nonce_size, nonce, header_size, header, tag_size, length, result, bytes);
}

/// Returns 0 where the tag is wrong. The result has `length` bytes, without the tag.
static inline int cnettle_aes_ccm_decrypt(
    const uint8_t *key, size_t size, const uint8_t *nonce, size_t nonce_size, const uint8_t *header,
    size_t header_size, size_t tag_size, size_t length, uint8_t *result, const uint8_t *bytes) {
  struct cnettle_aes aes;
  cnettle_aes_set_key(&aes, 0, key, size);
  return ccm_decrypt_message(
      &aes.key, aes.function, nonce_size, nonce, header_size, header, tag_size, length, result, bytes);
}

// nettle 4 no longer asks for the length of a digest.
#if NETTLE_VERSION_MAJOR >= 4
#define CNETTLE_DIGEST(function, context, size, digest) function(context, digest)
#define CNETTLE_SIZE(size)
#else
#define CNETTLE_DIGEST(function, context, size, digest) function(context, size, digest)
#define CNETTLE_SIZE(size) size,
#endif

/// Encrypts or decrypts, and makes the tag, GCM_DIGEST_SIZE bytes.
static inline void cnettle_aes_gcm(
    int decrypts, const uint8_t *key, size_t size, const uint8_t *nonce, size_t nonce_size, const uint8_t *header,
    size_t header_size, size_t length, uint8_t *result, const uint8_t *bytes, uint8_t *tag) {
  struct cnettle_aes aes;
  struct gcm_key table;
  struct gcm_ctx context;
  cnettle_aes_set_key(&aes, 0, key, size);
  gcm_set_key(&table, &aes.key, aes.function);
  gcm_set_iv(&context, &table, nonce_size, nonce);
  gcm_update(&context, &table, header_size, header);
  (decrypts ? gcm_decrypt : gcm_encrypt)(&context, &table, &aes.key, aes.function, length, result, bytes);
  gcm_digest(&context, &table, &aes.key, aes.function, CNETTLE_SIZE(GCM_DIGEST_SIZE) tag);
}

/// Encrypts or decrypts, and makes the tag, CHACHA_POLY1305_DIGEST_SIZE bytes.
static inline void cnettle_chacha_poly1305(
    int decrypts, const uint8_t *key, const uint8_t *nonce, const uint8_t *header, size_t header_size, size_t length,
    uint8_t *result, const uint8_t *bytes, uint8_t *tag) {
  struct chacha_poly1305_ctx context;
  chacha_poly1305_set_key(&context, key);
  chacha_poly1305_set_nonce(&context, nonce);
  chacha_poly1305_update(&context, header_size, header);
  (decrypts ? chacha_poly1305_decrypt : chacha_poly1305_encrypt)(&context, length, result, bytes);
  CNETTLE_DIGEST(chacha_poly1305_digest, &context, CHACHA_POLY1305_DIGEST_SIZE, tag);
}

/// Whether bytes are the same, in a time that depends on their number alone.
static inline int cnettle_are_equal(const uint8_t *a, const uint8_t *b, size_t size) { return memeql_sec(a, b, size); }

/// - point: null: the base point. All have CURVE25519_SIZE bytes.
static inline void cnettle_x25519(const uint8_t *number, const uint8_t *point, uint8_t *result) {
  if (point) curve25519_mul(result, number, point);
  else curve25519_mul_g(result, number);
}

/// The digest of bytes, and their authentication code with a key.
#define CNETTLE_HASH(name, size)                                                                                   \
  static inline void cnettle_##name(const uint8_t *bytes, size_t length, uint8_t *digest) {                        \
    struct name##_ctx context;                                                                                     \
    name##_init(&context);                                                                                         \
    name##_update(&context, length, bytes);                                                                        \
    CNETTLE_DIGEST(name##_digest, &context, size, digest);                                                         \
  }                                                                                                                \
  static inline void cnettle_hmac_##name(                                                                          \
      const uint8_t *key, size_t key_size, const uint8_t *bytes, size_t length, uint8_t *digest) {                 \
    struct hmac_##name##_ctx context;                                                                              \
    hmac_##name##_set_key(&context, key_size, key);                                                                \
    hmac_##name##_update(&context, length, bytes);                                                                 \
    CNETTLE_DIGEST(hmac_##name##_digest, &context, size, digest);                                                  \
  }

CNETTLE_HASH(md5, MD5_DIGEST_SIZE)
CNETTLE_HASH(sha1, SHA1_DIGEST_SIZE)
CNETTLE_HASH(sha256, SHA256_DIGEST_SIZE)
CNETTLE_HASH(sha512, SHA512_DIGEST_SIZE)

/// The elliptic curve whose coordinates have 28 or 32 bytes.
static inline const struct ecc_curve *cnettle_curve(size_t size) {
  return size == 28 ? nettle_get_secp_224r1() : nettle_get_secp_256r1();
}

/// Multiplies a point of a curve by a number. All coordinates are big-endian, have the same size, and may be the same memory.
/// - number: null: it is 1.
/// - x: null: the point is the curve's generator.
/// Returns 0 where the point is not on the curve, or the number is 0 or not less than the order of the curve.
static inline int cnettle_curve_multiply(
    size_t size, const uint8_t *number, const uint8_t *x, const uint8_t *y, uint8_t *result_x, uint8_t *result_y) {
  const struct ecc_curve *curve = cnettle_curve(size);
  struct ecc_scalar scalar;
  struct ecc_point point;
  mpz_t first, second;
  ecc_scalar_init(&scalar, curve);
  ecc_point_init(&point, curve);
  mpz_init_set_ui(first, 1);
  mpz_init(second);
  if (number) nettle_mpz_set_str_256_u(first, size, number);
  int succeeds = ecc_scalar_set(&scalar, first);
  if (succeeds && x) {
    nettle_mpz_set_str_256_u(first, size, x);
    nettle_mpz_set_str_256_u(second, size, y);
    succeeds = ecc_point_set(&point, first, second);
    if (succeeds && number) ecc_point_mul(&point, &scalar, &point);
  } else if (succeeds) {
    ecc_point_mul_g(&point, &scalar);
  }
  if (succeeds) {
    ecc_point_get(&point, first, second);
    nettle_mpz_get_str_256(size, result_x, first);
    nettle_mpz_get_str_256(size, result_y, second);
  }
  mpz_clear(second);
  mpz_clear(first);
  ecc_point_clear(&point);
  ecc_scalar_clear(&scalar);
  return succeeds;
}
