import Bluetooth
import Framing
import BlemuJSON

/// A buffer of lines whose memory is reused.
///
/// The log formats thousands of lines. Each append makes room once and then writes byte by byte.
package struct LineBuffer: ~Copyable {
  /// The first ``count`` bytes are the lines, in UTF-8. The others are free. It is not an array, because each change to an
  /// array also checks whether it is shared.
  private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 512)
  private(set) var count = 0

  /// The formatted second of the last line, which most lines share.
  var utcSecond: (number: Int64, text: [UInt8]) = (.min, [])
  var localSecond: (number: Int64, text: [UInt8]) = (.min, [])

  package init() {}

  deinit { memory.deallocate() }

  package var text: String { String(decoding: memory[..<count], as: UTF8.self) }

  package func withBytes(_ body: (Span<UInt8>) -> Void) {
    body(UnsafeBufferPointer(rebasing: memory[..<count]).span)
  }

  /// A copy of what `append` appends.
  mutating func appended(_ append: (inout LineBuffer) -> Void) -> [UInt8] {
    let start = count
    append(&self)
    return Array(memory[start..<count])
  }

  package mutating func removeAll() { count = 0 }

  /// Puts bytes before each line after the first `start` bytes.
  mutating func insert(_ beginning: [UInt8], beforeEachLineFrom start: Int) {
    let text = Array(memory[start..<count])
    count = start
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      append(beginning)
      append(Array(line))
      append("\n")
    }
  }

  /// Appends the number of bytes that `write` appends, 64 bits with the lowest byte first, and then these bytes, without the
  /// line feed at their end.
  mutating func append(sized write: (inout LineBuffer) -> Void) {
    let place = count
    append([UInt8](repeating: 0, count: MemoryLayout<UInt64>.size))
    let start = count
    write(&self)
    if count > start, memory[count - 1] == UInt8(ascii: "\n") { count -= 1 }
    withUnsafeBytes(of: UInt64(count - start).littleEndian) { size in
      for (offset, byte) in size.enumerated() { memory[place + offset] = byte }
    }
  }

  /// Makes room for `size` bytes, and lets `write` fill it from `place` on. `write` returns the index after its bytes.
  @inline(__always)
  private mutating func append(atMost size: Int, _ write: (inout MutableSpan<UInt8>, _ place: Int) -> Int) {
    if memory.count - count < size { grow(by: size) }
    var span = memory.mutableSpan
    count = write(&span, count)
  }

  private mutating func grow(by size: Int) {
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: memory.count + max(size, memory.count))
    _ = larger.update(fromContentsOf: memory[..<count])
    memory.deallocate()
    memory = larger
  }
}

// MARK: Text

extension LineBuffer {
  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// It has a label, because otherwise a literal would be a `String`, not a `StaticString`.
  mutating func append(string text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  mutating func append(_ text: [UInt8]) { text.withUnsafeBufferPointer { append($0) } }

  @inline(__always)
  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    append(atMost: text.count) { memory, place in
      memory.withUnsafeMutableBufferPointer {
        $0.baseAddress!.advanced(by: place).update(from: start, count: text.count)
      }
      return place + text.count
    }
  }

  mutating func append(spaces count: Int) {
    for _ in 0..<max(0, count) { append(" ") }
  }

  /// A JSON string.
  mutating func append(quoted text: String) {
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
    append(atMost: 3 * value.count) { HexText.write(value, separator: separator, to: &$0, at: $1) }
  }

  /// `Hello\\r\\n`, as ``PrintableText`` writes it.
  mutating func append(printable value: ArraySlice<UInt8>) {
    append(atMost: PrintableText.longest * value.count) { PrintableText.write(value, to: &$0, at: $1) }
  }

  /// ``PrintableText`` as a JSON string.
  mutating func append(quotedPrintable value: ArraySlice<UInt8>) {
    append("\"")
    append(atMost: (1 + PrintableText.longest) * value.count) { memory, place in
      value.reduce(place) { Self.write(quotedPrintable: $1, to: &memory, at: $0) }
    }
    append("\"")
  }

  /// JSON doubles the backslash that begins an escape of ``PrintableText``, both of an escaped backslash, and escapes
  /// the quote.
  private static func write(quotedPrintable byte: UInt8, to memory: inout MutableSpan<UInt8>, at place: Int)
    -> Int
  {
    let (backslash, quote) = (UInt8(ascii: "\\"), UInt8(ascii: "\""))
    guard byte == backslash || byte == quote || !(0x20...0x7E).contains(byte) else {
      memory[place] = byte
      return place + 1
    }
    memory[place] = backslash
    if byte == quote {
      memory[place + 1] = quote
      return place + 2
    }
    let end = PrintableText.write(escaped: byte, to: &memory, at: place + 1)
    guard byte == backslash else { return end }
    memory[end] = backslash
    return end + 1
  }

  /// A number with leading zeros to this number of digits.
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
