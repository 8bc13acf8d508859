internal import CDBus

/// A valid signature: zero or more complete types such as `a{sv}`, or a dictionary's entry, `{sv}`.
package struct DBusSignature: Hashable, Sendable {
  package let string: String

  /// `nil` if the string is not a signature.
  package init?(_ string: String) {
    guard isSignature(string) else { return nil }
    self.string = string
  }

  /// For signatures that come from libdbus or from a valid value.
  init(trusted string: String) { self.string = string }
}

extension DBusSignature: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    precondition(isSignature(value), "'\(value)' is not a signature")
    string = value
  }
}

/// libdbus accepts a dictionary's entry only as an element of an array.
private func isSignature(_ string: String) -> Bool {
  isValid(string, dbus_signature_validate) || isValid("a" + string, dbus_signature_validate)
}

/// The type codes of signatures and iterators.
enum TypeCode {
  static let invalid: Int32 = 0
  static let byte = code("y")
  static let boolean = code("b")
  static let int16 = code("n")
  static let uint16 = code("q")
  static let int32 = code("i")
  static let uint32 = code("u")
  static let int64 = code("x")
  static let uint64 = code("t")
  static let double = code("d")
  static let string = code("s")
  static let objectPath = code("o")
  static let signature = code("g")
  static let fileDescriptor = code("h")
  static let array = code("a")
  static let variant = code("v")
  // The iterators' codes for containers that a signature writes as a pair of brackets.
  static let structure = code("r")
  static let dictEntry = code("e")

  @inline(__always)
  private static func code(_ letter: Unicode.Scalar) -> Int32 { Int32(letter.value) }
}

extension DBusSignature {
  /// The complete types: `ay` and `a{sv}` of `aya{sv}`.
  var completeTypes: [String] {
    var types: [String] = []
    var current = ""
    var depth = 0
    for letter in string {
      current.append(letter)
      if "({".contains(letter) { depth += 1 }
      if ")}".contains(letter) { depth -= 1 }
      if depth == 0, letter != "a" {
        types.append(current)
        current = ""
      }
    }
    return types
  }
}
