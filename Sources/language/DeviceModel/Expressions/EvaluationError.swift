import Cryptography
import Framing

/// Why a checked expression has no value.
package enum EvaluationError: Error, Hashable, Sendable {
  case overflow
  case divisionByZero
  case notANumber(String)
  case notHex(String)
  /// The text has this character at an index, or nil: it is incomplete.
  case notBase64(Character?, at: Int)
  case notEncodable(EncodingError)
  case badShift(Int64)
  /// The definition's checksum with this name has no value for the bytes.
  case noChecksum(String, problem: String)
  case emptyRange(Int64, Int64)
  /// Text or bytes would have this many bytes.
  case tooLong(Int)
  /// Functions have processed too many bytes.
  case tooMuchWork
  /// An argument of a function does not meet its requirement: it is this number, or has this many bytes.
  case unsuitable(ArgumentRequirement, Int64)
  /// Two bytes at an index are not a SLIP escape; nil: the second is missing.
  case notSLIP(UInt8, UInt8?, at: Int)
  /// AES-CCM takes fewer bytes with such a nonce.
  case tooLongForNonce(Int, most: Int)
  /// nil: this machine has none.
  case noTimeZone(String?)
  case badKey(EllipticCurve.KeyError, EllipticCurve)
  /// The last byte announces another one.
  case unfinishedEscape(UInt8)
}

extension EvaluationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .overflow: "a number does not fit in 64 bits"
    case .divisionByZero: "division by zero"
    case .notANumber(let text): "'\(text)' is not a number"
    case .notHex(let text): "'\(text)' is not bytes in hex"
    case .notBase64(let character?, let index): "'\(character)' at index \(index) is no character of base64"
    case .notBase64(nil, let index): "after \(index) characters, the base64 text ends within a byte"
    case .noTimeZone(let name?): "there is no time zone '\(name)'"
    case .noTimeZone(nil): "this machine has no time zones; install tzdata"
    case .badKey(.privateKey, let curve): "the private key is 0, or too large for \(curve.name)"
    case .badKey(.publicKey, let curve): "the public key is not a point of \(curve.name)"
    case .notEncodable(let error): error.description
    case .badShift(let count): "cannot shift by \(count) bits, only by 0 to 63"
    case .noChecksum(let name, let problem): "the checksum '\(name)' cannot be computed: \(problem)"
    case .emptyRange(let least, let most): "there is no number from \(least) to \(most)"
    case .tooLong(let count): "\(count) bytes; text and bytes have at most \(Value.largestSize)"
    case .tooMuchWork: "the expressions compute too much at one moment; add a 'wait'"
    case .unsuitable(let requirement, let found): requirement.sentence(found: found)
    case .notSLIP(let first, let second?, let index):
      "\(HexText.format([first, second])) at index \(index) is not a SLIP escape"
    case .notSLIP(let first, nil, let index):
      "\(HexText.format([first])) at index \(index) is not escaped, as SLIP requires"
    case .tooLongForNonce(let count, let most):
      "\(count) bytes; with this nonce, AES-CCM encrypts at most \(most)"
    case .unfinishedEscape(let byte): "the last byte, \(HexText.format([byte])), escapes nothing"
    }
  }
}
