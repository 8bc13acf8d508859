/// Functions of other languages.
enum ForeignFunction {
  /// The equivalent of such a function in blemu; nil for any other name.
  static func hint(for name: String) -> String? { hints[name.lowercased().filter { $0 != "-" && $0 != "_" }] }

  private static func pair(_ name: String) -> String { "write \(name)-encrypt(…) or \(name)-decrypt(…)" }
  private static let modes = "the mode is a part of the name: aes-ecb-encrypt, aes-cbc-decrypt, aes-ctr …"
  private static let counterMode = "write aes-ctr(…), which both encrypts and decrypts"
  private static let agreement = "write ecdh-p256(private, public), ecdh-p224(…) or x25519(…)"
  private static let publicKey = "write p256-public-key(private), p224-public-key(…) or x25519-public-key(…)"
  private static let randomBytes = "write random-bytes(count)"

  private static let hints: [String: String] = {
    var hints = [
      "concat": "'+' joins texts, and bytes", "now": "unix-time is a name without parentheses",
      "pow": "1 << n is 2 to the power of n", "mod": "'%' is the remainder", "not": "write 'not x'",
      "len": "write size(…)", "length": "write size(…)", "strlen": "write size(…)", "count": "write size(…)",
      "str": "write text(…)", "string": "write text(…)", "tostring": "write text(…)",
      "format": "write text(…)",
      "substr": "write slice(…, from, count)", "substring": "write slice(…, from, count)",
      "int": "number(…) reads text, floor(…) rounds", "parseint": "write number(…)",
      "integer": "number(…) reads text, floor(…) rounds", "float": "decimals need no function",
      "trunc": "write floor(…)", "toupper": "write upper(…)", "uppercase": "write upper(…)",
      "touppercase": "write upper(…)", "tolower": "write lower(…)", "lowercase": "write lower(…)",
      "tolowercase": "write lower(…)", "startswith": "write starts-with(…)", "includes": "write contains(…)",
      "aes": modes, "aesgcm": pair("aes-gcm"), "aesccm": pair("aes-ccm"), "aescbc": pair("aes-cbc"),
      "aesecb": pair("aes-ecb"), "aescfb": pair("aes-cfb"), "aesencrypt": modes, "aesdecrypt": modes,
      "aesctrencrypt": counterMode, "aesctrdecrypt": counterMode, "chacha20": pair("chacha20-poly1305"),
      "chacha20poly1305": pair("chacha20-poly1305"), "chachapoly": pair("chacha20-poly1305"),
      "hmac": "write hmac-sha256(key, bytes)", "hkdf": "write hkdf-sha256(key, salt, info, size)",
      "sha2": "write sha256(…)", "sha": "write sha1(…) or sha256(…)", "cmac": "write aes-cmac(key, bytes)",
      "ecdh": agreement, "p256": agreement, "p224": agreement, "secp256r1": agreement,
      "prime256v1": agreement, "p256ecdh": agreement, "ecdhsecp256r1": agreement,
      "curve25519": "write x25519(private, public)", "ecdhx25519": "write x25519(private, public)",
      "ecdhcurve25519": "write x25519(private, public)", "x25519ecdh": "write x25519(private, public)",
      "publickey": publicKey, "ecdhp256publickey": publicKey, "p256public": publicKey,
      "x25519public": publicKey,
      "urandom": randomBytes, "tokenbytes": randomBytes, "randbytes": randomBytes, "nonce": randomBytes,
      "btoa": "write base64(…)", "b64encode": "write base64(…)", "base64encode": "write base64(…)",
      "tobase64": "write base64(…)", "atob": "write from-base64(…)", "b64decode": "write from-base64(…)",
      "base64decode": "write from-base64(…)", "unbase64": "write from-base64(…)",
      "localtime": "write local-time(zone)", "strftime": "write hour(…), minute(…) …",
      "message": "write bytes-of(NAME, field: value)", "build": "write bytes-of(NAME, field: value)",
      "encode": "write bytes-of(NAME, field: value)", "pack": "write bytes-of(NAME, field: value)",
      "bytesof": "write bytes-of(NAME, field: value)",
      "rand": "write random(least, greatest)", "randint": "write random(least, greatest)",
    ]
    for bits in [16, 24, 32, 48, 64] {
      for letter in ["u", "i"] {
        hints["\(letter)\(bits)"] = "write \(letter)\(bits)le(…) or \(letter)\(bits)be(…)"
      }
    }
    return hints
  }()
}
