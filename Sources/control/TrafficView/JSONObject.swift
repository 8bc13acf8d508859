import Bluetooth
import Framing

/// Writes a JSON object on one line, with members in the order in which they are set.
struct JSONObject: ~Copyable {
  private var line: LineBuffer
  private var isEmpty = true

  /// Begins the object after the contents of `line`; ``end()`` returns the buffer.
  init(in line: consuming LineBuffer) {
    self.line = line
    self.line.append("{")
  }

  /// Ends the object with a line feed, and returns the buffer.
  consuming func end() -> LineBuffer {
    line.append("}\n")
    return line
  }

  /// Adds a text; nil leaves the member out.
  mutating func set(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    begin(name)
    line.append(quoted: text)
  }

  /// Adds a text that needs no escapes.
  mutating func set(_ name: StaticString, word: StaticString) {
    begin(name)
    line.append(quoted: word)
  }

  /// Adds an address; nil leaves the member out.
  mutating func set(_ name: StaticString, _ address: DeviceAddress?) {
    guard let address else { return }
    begin(name)
    line.append("\"")
    line.append(address)
    line.append("\"")
  }

  mutating func set(_ name: StaticString, _ number: Int) {
    begin(name)
    line.append(string: String(number))
  }

  /// Adds a number with two decimal digits.
  mutating func set(_ name: StaticString, hundredths: Int) {
    begin(name)
    line.append(string: DecimalText.hundredths(hundredths))
  }

  mutating func set(_ name: StaticString, _ time: WallTime) {
    begin(name)
    line.append("\"")
    line.append(utcTime: time)
    line.append("\"")
  }

  mutating func set(_ name: StaticString, hex value: [UInt8]) {
    begin(name)
    line.append("\"")
    line.append(hex: value.span)
    line.append("\"")
  }

  /// Adds what `append` appends.
  mutating func set(_ name: StaticString, _ append: (inout LineBuffer) -> Void) {
    begin(name)
    append(&line)
  }

  /// Adds bytes as ``PrintableText`` shows them.
  mutating func set(_ name: StaticString, printable value: [UInt8]) {
    begin(name)
    line.append(quotedPrintable: value.span)
  }

  private mutating func begin(_ name: StaticString) {
    line.append(member: name, isFirst: isEmpty)
    isEmpty = false
  }
}
