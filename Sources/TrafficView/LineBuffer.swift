import Bluetooth
import Framing
import JSON

/// Lines under construction, in memory that is used again for the next ones.
///
/// Traffic is formatted by the thousand. So whatever is appended makes room once and is then written byte by byte.
package struct LineBuffer: ~Copyable {
  /// The lines are its first ``count`` bytes, UTF-8; the others are room.
  private var memory = [UInt8](repeating: 0, count: 512)
  private var count = 0

  /// The second of the last line, as it was written: most lines are of the same one.
  var utcSecond: (number: Int64, text: ArraySlice<UInt8>) = (.min, [])
  var localSecond: (number: Int64, text: ArraySlice<UInt8>) = (.min, [])

  package init() {}

  package var bytes: ArraySlice<UInt8> { memory[..<count] }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func removeAll() { count = 0 }

  /// Makes room for `size` bytes and lets `write` put so many or fewer there, from a place on; it returns the place
  /// after them.
  @inline(__always)
  private mutating func append(atMost size: Int, _ write: (inout MutableSpan<UInt8>, _ place: Int) -> Int) {
    let room = memory.count
    if room - count < size { memory += repeatElement(0, count: max(size, room)) }
    let place = count
    var span = memory.mutableSpan
    let end = write(&span, place)
    count = end
  }
}

// MARK: Text

extension LineBuffer {
  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  mutating func append(_ text: ArraySlice<UInt8>) { text.withUnsafeBufferPointer { append($0) } }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    append(atMost: text.count) { memory, place in
      for index in text.indices { memory[place + index] = text[index] }
      return place + text.count
    }
  }

  mutating func append(blanks count: Int) {
    for _ in 0..<max(0, count) { append(" ") }
  }

  /// A JSON string.
  mutating func append(quoted text: String) {
    let text = text.utf8.span
    append(atMost: JSONText.maximumSize(of: text)) { JSONText.write(quoted: text, to: &$0, at: $1) }
  }
}

// MARK: Bytes and numbers

extension LineBuffer {
  /// `A5 06 83`.
  mutating func append(hex value: ArraySlice<UInt8>) { append(hex: value, separator: UInt8(ascii: " ")) }

  /// `4C:32:75:0A:11:9E`.
  mutating func append(_ address: DeviceAddress) {
    append(hex: address.bytes[...], separator: UInt8(ascii: ":"))
  }

  private mutating func append(hex value: ArraySlice<UInt8>, separator: UInt8) {
    append(atMost: 3 * value.count) { memory, start in
      var place = start
      for byte in value {
        memory[place] = HexText.digit(byte >> 4)
        memory[place + 1] = HexText.digit(byte & 0x0F)
        memory[place + 2] = separator
        place += 3
      }
      return max(start, place - 1)
    }
  }

  /// `Hello\\r\\n`, as ``PrintableText`` has it.
  mutating func append(printable value: ArraySlice<UInt8>) {
    append(atMost: PrintableText.longest * value.count) { PrintableText.write(value, to: &$0, at: $1) }
  }

  /// ``PrintableText`` as a JSON string.
  mutating func append(quotedPrintable value: ArraySlice<UInt8>) {
    let printableSize = PrintableText.longest * value.count
    append("\"")
    append(atMost: (1 + JSONText.longest) * printableSize) { memory, place in
      // Where the escaped text cannot reach it.
      let printable = place + JSONText.longest * printableSize
      let end = PrintableText.write(value, to: &memory, at: printable)
      return (printable..<end).reduce(place) { JSONText.write(memory[$1], to: &memory, at: $0) }
    }
    append("\"")
  }

  /// A number with leading zeros up to `digits`.
  mutating func append(_ number: Int, digits: Int) {
    append(atMost: digits) { memory, place in
      var rest = number
      for index in (place..<place + digits).reversed() {
        memory[index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      return place + digits
    }
  }
}
