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
  var second = FormattedSecond()

  package init() {}

  deinit { memory.deallocate() }

  package var text: String { String(decoding: memory[..<count], as: UTF8.self) }

  package func withBytes(_ body: (Span<UInt8>) -> Void) {
    body(UnsafeBufferPointer(rebasing: memory[..<count]).span)
  }

  /// What `append` would append.
  mutating func text(_ append: (inout LineBuffer) -> Void) -> [UInt8] {
    let start = count
    defer { count = start }
    append(&self)
    return Array(memory[start..<count])
  }

  package mutating func removeAll() { count = 0 }

  /// Puts bytes before each line after the first `start` bytes.
  mutating func insert(_ beginning: [UInt8], beforeEachLineFrom start: Int) {
    let text = Array(memory[start..<count])
    count = start
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      append(beginning.span)
      append(line.span)
      append("\n")
    }
  }

  /// Appends the number of bytes that `write` appends, 64 bits with the lowest byte first, and then these bytes, without the
  /// line feed at their end.
  mutating func append(sized write: (inout LineBuffer) -> Void) {
    let place = count
    append(atMost: MemoryLayout<UInt64>.size) { $1 + MemoryLayout<UInt64>.size }
    let start = count
    write(&self)
    if count > start, memory[count - 1] == UInt8(ascii: "\n") { count -= 1 }
    withUnsafeBytes(of: UInt64(count - start).littleEndian) { size in
      for (offset, byte) in size.enumerated() { memory[place + offset] = byte }
    }
  }

  /// Makes room for `size` bytes, and lets `write` fill it from `place` on. `write` returns the index after its bytes.
  @inline(__always)
  mutating func append(atMost size: Int, _ write: (inout MutableSpan<UInt8>, _ place: Int) -> Int) {
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
  mutating func append(string text: String) { append(text.utf8.span) }

  mutating func append(_ text: Span<UInt8>) { text.withUnsafeBufferPointer { append($0) } }

  @inline(__always)
  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    append(atMost: text.count) { Self.copy(text, to: &$0, at: $1) }
  }

  @inline(__always)
  private static func copy(
    _ text: UnsafeBufferPointer<UInt8>, to memory: inout MutableSpan<UInt8>, at place: Int
  )
    -> Int
  {
    guard let start = text.baseAddress else { return place }
    precondition(text.count <= memory.count - place, "the lines have no room")
    memory.withUnsafeMutableBufferPointer {
      $0.baseAddress!.advanced(by: place).update(from: start, count: text.count)
    }
    return place + text.count
  }

  mutating func append(spaces count: Int) {
    append(atMost: count) { memory, place in
      for index in place..<place + count { memory[index] = UInt8(ascii: " ") }
      return place + count
    }
  }

  /// The name of a member of a JSON object, which needs no escapes.
  mutating func append(member name: StaticString, isFirst: Bool) {
    append(atMost: name.utf8CodeUnitCount + 4) { memory, place in
      var place = place
      if !isFirst {
        memory[place] = UInt8(ascii: ",")
        place += 1
      }
      let end = Self.write(quoted: name, to: &memory, at: place)
      memory[end] = UInt8(ascii: ":")
      return end + 1
    }
  }

  /// A JSON string that needs no escapes.
  mutating func append(quoted word: StaticString) {
    append(atMost: word.utf8CodeUnitCount + 2) { Self.write(quoted: word, to: &$0, at: $1) }
  }

  @inline(__always)
  private static func write(quoted word: StaticString, to memory: inout MutableSpan<UInt8>, at place: Int)
    -> Int
  {
    memory[place] = UInt8(ascii: "\"")
    let text = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    let end = copy(text, to: &memory, at: place + 1)
    memory[end] = UInt8(ascii: "\"")
    return end + 1
  }

  /// A JSON string.
  mutating func append(quoted text: String) {
    append(atMost: JSONText.maximumSize(of: text)) { JSONText.write(quoted: text, to: &$0, at: $1) }
  }
}

// MARK: Bytes and numbers

extension LineBuffer {
  /// `A5 06 83`.
  mutating func append(hex value: Span<UInt8>) {
    append(value, as: HexText.spaced)
    if !value.isEmpty { count -= 1 }
  }

  /// `4C:32:75:0A:11:9E`.
  mutating func append(_ address: DeviceAddress) {
    append(address.bytes.span, as: HexText.withColons)
    count -= 1
  }

  /// `Hello\\r\\n`, as ``PrintableText`` writes it.
  mutating func append(printable value: Span<UInt8>) {
    if PrintableText.isPlain(value) { append(value) } else { append(value, as: PrintableText.table) }
  }

  /// ``PrintableText`` as a JSON string.
  mutating func append(quotedPrintable value: Span<UInt8>) {
    append("\"")
    if PrintableText.isPlain(value) { append(value) } else { append(value, as: Self.quotedPrintable) }
    append("\"")
  }

  private mutating func append(_ value: Span<UInt8>, as table: ByteTable) {
    append(atMost: table.room(for: value.count)) { table.write(value, to: &$0, at: $1) }
  }

  /// JSON doubles the backslashes of ``PrintableText``, and escapes the quote.
  private static let quotedPrintable = ByteTable { byte in
    let (backslash, quote) = (UInt8(ascii: "\\"), UInt8(ascii: "\""))
    if byte == quote { return [backslash, quote] }
    return PrintableText.text(of: byte).flatMap { $0 == backslash ? [$0, $0] : [$0] }
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
