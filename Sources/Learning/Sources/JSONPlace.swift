import BlemuJSON
import Bluetooth

/// A value in a JSON file, with the way to it: `services[2].characteristics[0].uuid`.
struct JSONPlace {
  let value: JSONValue
  let path: String
  let file: String

  init(_ file: ListingFile) throws(ListingMistake) {
    do throws(JSONMistake) {
      value = try JSONValue(parsing: file.bytes)
    } catch {
      throw ListingMistake(error.reason, in: file.name, at: file.position(of: error.offset))
    }
    path = ""
    self.file = file.name
  }

  private init(_ value: JSONValue, _ path: String, _ file: String) {
    (self.value, self.path, self.file) = (value, path, file)
  }

  /// A member that is there and not null.
  subscript(name: String) -> JSONPlace? {
    guard let member = value[name], member != .null else { return nil }
    return JSONPlace(member, path.isEmpty ? name : "\(path).\(name)", file)
  }

  func required(_ name: String) throws(ListingMistake) -> JSONPlace {
    guard let member = self[name] else {
      throw mistake(path.isEmpty ? "'\(name)' is missing" : "'\(name)' is missing in '\(path)'")
    }
    return member
  }

  /// The elements of an array; none if the member is not there.
  func elements(_ name: String) throws(ListingMistake) -> [JSONPlace] { try self[name]?.elements() ?? [] }

  func elements() throws(ListingMistake) -> [JSONPlace] {
    guard let elements = value.elements else { throw wrong("an array") }
    return elements.enumerated().map { JSONPlace($1, "\(path)[\($0)]", file) }
  }

  func text() throws(ListingMistake) -> String {
    guard let text = value.text else { throw wrong("a text") }
    return text
  }

  func number(in range: ClosedRange<Int>) throws(ListingMistake) -> Int {
    guard let number = value.wholeNumber, range.contains(number) else {
      throw wrong("a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func handle() throws(ListingMistake) -> AttributeHandle { AttributeHandle(try number(in: 1...0xFFFF)) }

  func uuid() throws(ListingMistake) -> ObservedTable.DeclaredUUID {
    guard let uuid = value.text.flatMap({ ListedText.uuid($0, keepsForm: true) }) else {
      throw wrong("a UUID")
    }
    return uuid
  }

  func bytes() throws(ListingMistake) -> [UInt8] {
    guard let bytes = value.text.flatMap({ ListedText.bytes($0) }) else { throw wrong("bytes in hex") }
    return bytes
  }

  func address(isRandom: Bool?) throws(ListingMistake) -> LinkAddress {
    guard let address = value.text.flatMap({ DeviceAddress($0) }) else { throw wrong("an address") }
    return LinkAddress(address, isRandom == true ? .random : .public)
  }

  private func wrong(_ expected: String) -> ListingMistake {
    mistake(path.isEmpty ? "the file is not \(expected)" : "'\(path)' is not \(expected)")
  }

  func mistake(_ reason: String) -> ListingMistake { ListingMistake(reason, in: file) }
}
