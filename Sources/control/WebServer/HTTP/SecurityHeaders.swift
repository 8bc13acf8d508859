/// The headers of every answer: what a browser may do with it.
enum SecurityHeaders {
  /// Everything is from this server; nothing is inline, and no page may frame this one.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  /// That of a face: a browser that opens it as a document runs none of its scripts.
  static let facePolicy = policy + "; sandbox"

  static let all = [
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
  ]
}
