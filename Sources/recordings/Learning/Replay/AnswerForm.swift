import DeviceModel
import Framing

/// A value that the device sends after a request.
struct AnswerForm: Hashable, Sendable {
  /// As recorded.
  let recorded: [UInt8]
  /// With zeros in place of what follows from the request.
  private(set) var bytes: [UInt8]
  private(set) var echoes: [Echo] = []
  /// The checksum over bytes that follow from the request.
  private(set) var check: CheckField?

  init(_ value: [UInt8]) { (recorded, bytes) = (value, value) }

  /// What makes it another value for another request.
  struct Variation: Hashable, Sendable {
    var echoes: [Echo] = []
    var check: CheckField?
    /// Nothing is computed before it.
    var size = 0

    var isNone: Bool { echoes.isEmpty }
  }

  var variation: Variation {
    echoes.isEmpty ? Variation() : Variation(echoes: echoes, check: check, size: recorded.count)
  }

  static func == (left: Self, right: Self) -> Bool {
    left.bytes == right.bytes && left.echoes == right.echoes && left.check == right.check
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
    hasher.combine(echoes)
  }

  /// Notes what follows from the request.
  mutating func mark(_ echoes: [Echo], for request: [UInt8], _ check: CheckField?) {
    let places = check.flatMap { recorded.has($0) ? Set(recorded.places(of: $0)) : nil }
    let holding = echoes.filter {
      $0.holds(for: request, recorded) && places?.isDisjoint(with: $0.places) != false
    }
    guard !holding.isEmpty else { return }
    self.echoes = holding
    self.check = places == nil ? nil : check
    bytes = recorded.with(zerosAt: Set(holding.flatMap(\.places)).union(places ?? []))
  }
}

// MARK: In a definition

extension AnswerForm {
  /// The message as the language writes it: `04 {byte-1: u8} 80 {sum8}`; its fields are the echoes, in order.
  var template: String {
    var words = echoes.map { ($0.places, "{byte-\($0.place): \($0.form.type.name)}") }
    if let check { words.append((bytes.places(of: check), check.checksum.word(from: check.start))) }
    return bytes.template(with: words)
  }

  /// The fields of ``template``.
  var fields: [Rule.FieldSource] {
    echoes.sorted { $0.place < $1.place }.map { .value($0.value(of: .known(.frame))) }
  }
}

extension AnswerForm.Variation {
  /// The value for a request, from that with zeros.
  func patching(_ value: Expression, for request: Expression) -> Expression {
    var value = value
    for echo in echoes {
      value = .call(.patch, [value, .number(echo.place), echo.form.type.bytes(of: echo.value(of: request))])
    }
    guard let check else { return value }
    let end = size - check.size
    let covered = Expression.call(.slice, [value, .number(check.start), .number(end - check.start)])
    let sum = Expression.encoded(
      .integer(check.checksum.width, check.checksum.byteOrder, isSigned: false),
      .checksum(check.checksum, of: covered, after: nil))
    return .call(.patch, [value, .number(end), sum])
  }
}
