import Bluetooth
import Framing
import Glibc

/// The values that expressions read.
package struct EvaluationContext: Sendable {
  /// One value for each of ``PeripheralDefinition/settings``.
  package var settings: [Value]
  /// One value for each of ``PeripheralDefinition/variables``.
  package var variables: [Value]
  /// The current value of each of ``PeripheralDefinition/generators``.
  package var generators: [Value] = []
  /// The device's address, 6 bytes, most significant first.
  package var address: [UInt8]
  /// The adapter's, likewise.
  package var adapter: [UInt8]
  package var tables: [DataTable]
  /// The number of the advertiser of a crowd.
  package var advertiser: Int64 = 1
  package var settingTable = SettingTable([])
  package var state = ""
  /// The number of connected centrals.
  package var centrals: Int64 = 0
  /// The number of subscribed centrals for each characteristic.
  package var subscribers: [Int] = []
  /// The links to the connected centrals, as far as the transport reports them.
  package var links: [DeviceAddress: LinkState] = [:]
  /// Returns the handle of an attribute; 0 if the transport does not report it.
  package var handle: @Sendable (HandleOwner) -> AttributeHandle = { _ in 0 }
  /// Milliseconds since the device's start or reset.
  package var uptime: Int64 = 0
  /// Seconds since 1970.
  package var unixTime: Int64 = 0
  /// The values of the event that is being handled.
  package var event = EventValues()
  /// The source of `random`. The caller advances its step after each evaluation, so that the next gives another
  /// number.
  package var random = RandomSource(seed: 0)
  /// The remaining effort of functions; the caller renews it for each event.
  package let effort: Effort

  package init(
    settings: [Value] = [], variables: [Value] = [], address: [UInt8] = [], tables: [DataTable] = [],
    effort: Effort = Effort()
  ) {
    self.effort = effort
    self.settings = settings
    self.variables = variables
    (self.address, adapter) = (address, address)
    self.tables = tables
  }

  /// The link to the event's central; one that has just begun if there is none.
  fileprivate var link: LinkState { event.central.flatMap { links[$0] } ?? LinkState() }
}

/// The values of a link that expressions can use.
package struct LinkState: Hashable, Sendable {
  /// ATT_MTU, bytes.
  package var mtu = 23
  package var isEncrypted = false
  /// The central's identity address; nil: it is that of the link, or not known.
  package var identity: DeviceAddress?
  /// Most significant byte first.
  package var longTermKey: [UInt8] = []

  package init() {}
}

/// The values of an event for the rule that it triggers.
package struct EventValues: Sendable {
  /// The fields of the received message.
  package var fields = MessageFields()
  /// The received frame, or the written value.
  package var bytes: [UInt8] = []
  package var offset: Int64 = 0
  /// The place of the received frame.
  package var origin = ""
  /// The central that it came from.
  package var central: DeviceAddress?
  /// Why its link has ended, or what else an event has a reason for; nil: the transport does not know.
  package var reason: String?
  /// The new properties of its link.
  package var link = LinkChange()
  /// The values of ``Rule/locals``; in the body of a function, its arguments.
  package var locals: [Value] = []

  package init() {}
}

/// Pseudo-random numbers, the same for the same seed.
package struct RandomSource: Hashable, Sendable {
  package var seed: UInt64
  /// Counts the evaluations.
  package var step: UInt64 = 0

  package init(seed: UInt64) {
    self.seed = seed
  }

  /// A number of 64 bits for this step at a place.
  package func bits(at site: UInt64) -> UInt64 {
    Self.mixed(Self.mixed(Self.mixed(seed) &+ step) &+ site)
  }

  /// The first bytes for this step.
  package func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    for site in 0..<(count + 7) / 8 {
      withUnsafeBytes(of: bits(at: UInt64(site)).littleEndian) { bytes += $0 }
    }
    return Array(bytes.prefix(count))
  }

  /// The finalizer of SplitMix64: each bit of the result depends on every bit of the number.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var bits = number &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

extension Expression {
  /// The expression's value. A wrong type is a bug in the checker.
  package func evaluate(in context: EvaluationContext) throws(EvaluationError) -> Value {
    switch self {
    case .constant(let value): value
    case .setting(let index): context.settings[index]
    case .field(let index): context.event.fields.value(index, in: context.event.bytes)
    case .variable(let index): context.variables[index]
    case .generator(let index): context.generators[index]
    case .local(let index, _), .argument(let index, _): context.event.locals[index]
    case .apply(_, let arguments, let body): try Self.apply(body, to: arguments, in: context)
    case .known(let known): known.value(in: context)
    case .isSubscribed(let index): .boolean(context.subscribers[index] > 0)
    case .handle(let owner): .integer(Int64(context.handle(owner)))
    case .named(let question, let arguments, _):
      question.answer(try Self.values(of: arguments, in: context), in: context)
    case .unary(let op, let operand): try op.apply(operand.evaluate(in: context))
    case .binary(.and, let a, let b): .boolean(try a.isTrue(in: context) ? try b.isTrue(in: context) : false)
    case .binary(.or, let a, let b): .boolean(try a.isTrue(in: context) ? true : try b.isTrue(in: context))
    case .binary(let op, let a, let b):
      try op.apply(a.evaluate(in: context), b.evaluate(in: context), context.effort)
    case .call(let function, let arguments):
      try function.apply(Self.values(of: arguments, in: context), context.effort)
    case .cryptography(let function, let arguments):
      try function.apply(Self.values(of: arguments, in: context), context.effort)
    case .cell(let table, let key, let column):
      context.tables[table].cell(key: try Self.values(of: key, in: context), column: column)
    case .rows(let table, let key):
      .group(context.tables[table].rows(whose: try Self.values(of: key, in: context)))
    case .columns(let columns, let group): Self.columns(columns, of: try group.evaluate(in: context))
    case .rowCount(let table): .integer(Int64(context.tables[table].count))
    case .byte(let bytes, let index):
      Self.byte(of: try bytes.evaluate(in: context), at: try index.evaluate(in: context))
    case .groupCell(let group, let row, let column, let type):
      Self.cell(
        of: try group.evaluate(in: context), row: try row.evaluate(in: context), column) ?? .zero(of: type)
    case .conditional(let condition, let first, let second):
      try condition.isTrue(in: context) ? try first.evaluate(in: context) : try second.evaluate(in: context)
    case .encoded(let encoding, let number): try Self.encoded(encoding, number.evaluate(in: context))
    case .decoded(let encoding, let bytes, let index):
      Self.decoded(encoding, try bytes.evaluate(in: context), at: try index.evaluate(in: context))
    case .message(let message, let values): try Self.built(message.template, values, in: context)
    case .checksum(let checksum, let bytes, let earlier):
      try Self.checksum(
        checksum, bytes.evaluate(in: context), after: earlier?.evaluate(in: context), context.effort)
    case .random(let least, let most, let site):
      try Self.random(least.evaluate(in: context), most.evaluate(in: context), site, context.random)
    case .randomBytes(let count, let site):
      try Self.randomBytes(count.evaluate(in: context), site, context.random, context.effort)
    }
  }

  private static func built(
    _ message: MessageTemplate, _ expressions: [Expression?], in context: EvaluationContext
  ) throws(EvaluationError) -> Value {
    var values: [Value?] = []
    for expression in expressions { values.append(try expression?.evaluate(in: context)) }
    let bytes: [UInt8]
    do { bytes = try message.build(values) } catch { throw .notEncodable(error) }
    try context.effort.spend(message.weight * bytes.count)
    return .bytes(bytes)
  }

  private static func apply(
    _ body: Expression, to arguments: [Expression], in context: EvaluationContext
  ) throws(EvaluationError) -> Value {
    var inner = context
    inner.event.locals = try values(of: arguments, in: context)
    return try body.evaluate(in: inner)
  }

  private static func encoded(
    _ encoding: FieldEncoding, _ value: Value
  ) throws(EvaluationError) -> Value {
    var bytes: [UInt8] = []
    do { try encoding.encode(value, into: &bytes) } catch { throw .notEncodable(error) }
    return .bytes(bytes)
  }

  /// The number from an index on; bytes that are outside count as 00.
  private static func decoded(_ encoding: FieldEncoding, _ value: Value, at index: Value) -> Value {
    guard case .bytes(let bytes) = value, case .integer(let index) = index else {
      preconditionFailure("bytes and an index were checked to stand here")
    }
    var number = Array(repeating: UInt8(0), count: encoding.sizes.upperBound)
    for offset in number.indices {
      let (place, isBeyond) = index.addingReportingOverflow(Int64(offset))
      if !isBeyond, place >= 0, place < bytes.count { number[offset] = bytes[Int(place)] }
    }
    let size = encoding.endsItself ? Varint.read(number.span, at: 0)?.size ?? 0 : number.count
    return encoding.decode(number.span.extracting(first: size)) ?? .zero(of: encoding.valueType)
  }

  private static func checksum(
    _ checksum: Checksum, _ value: Value, after earlier: Value?, _ effort: Effort
  ) throws(EvaluationError) -> Value {
    guard case .bytes(let bytes) = value else { preconditionFailure("bytes were checked to stand here") }
    try effort.spend((checksum.definition?.weight ?? 4) * bytes.count)
    guard case .integer(let earlier)? = earlier else {
      do { return .integer(Int64(try checksum.value(of: bytes.span))) } catch {
        throw .noChecksum(checksum.name, problem: error.description)
      }
    }
    guard checksum.range.contains(earlier) else { throw .notEncodable(.outOfRange(earlier, checksum.range)) }
    return .integer(Int64(checksum.value(of: bytes.span, after: UInt32(earlier))))
  }

  private static func columns(_ columns: [Int], of value: Value) -> Value {
    guard case .group(let rows) = value else { preconditionFailure("a group was checked to stand here") }
    return .group(rows.map { row in columns.map { row[$0] } })
  }

  /// The byte at an index; 0 outside.
  private static func byte(of value: Value, at index: Value) -> Value {
    guard case .bytes(let bytes) = value, case .integer(let index) = index,
      index >= 0, index < bytes.count
    else { return .integer(0) }
    return .integer(Int64(bytes[Int(index)]))
  }

  private static func cell(of group: Value, row: Value, _ column: Int) -> Value? {
    guard case .group(let rows) = group, case .integer(let row) = row, row >= 0, row < rows.count
    else { return nil }
    return rows[Int(row)][column]
  }

  private static func random(
    _ least: Value, _ most: Value, _ site: Int, _ source: RandomSource
  ) throws(EvaluationError) -> Value {
    guard case .integer(let least) = least, case .integer(let most) = most else {
      preconditionFailure("'random' was checked to have two integers")
    }
    guard least <= most else { throw .emptyRange(least, most) }
    let bits = source.bits(at: UInt64(site))
    let count = UInt64(bitPattern: most &- least) &+ 1
    return .integer(least &+ Int64(bitPattern: count == 0 ? bits : bits % count))
  }

  private static func randomBytes(
    _ count: Value, _ site: Int, _ source: RandomSource, _ effort: Effort
  ) throws(EvaluationError) -> Value {
    try ArgumentRequirement.randomBytes.check(count)
    guard case .integer(let count) = count else { preconditionFailure("a number was checked to stand here") }
    try effort.spend(4 * Int(count))
    return .bytes(RandomSource(seed: source.bits(at: UInt64(site))).bytes(Int(count)))
  }

  /// The value of a condition.
  package func isTrue(in context: EvaluationContext) throws(EvaluationError) -> Bool {
    try evaluate(in: context) == .boolean(true)
  }

  private static func values(
    of expressions: [Expression], in context: EvaluationContext
  ) throws(EvaluationError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(expressions.count)
    for expression in expressions { values.append(try expression.evaluate(in: context)) }
    return values
  }
}

extension KnownValue {
  fileprivate func value(in context: EvaluationContext) -> Value {
    switch self {
    case .address: .bytes(context.address)
    case .adapter: .bytes(context.adapter)
    case .advertiser: .integer(context.advertiser)
    case .state: .text(context.state)
    case .origin: .text(context.event.origin)
    case .centrals: .integer(context.centrals)
    case .central: .bytes((context.link.identity ?? context.event.central)?.bytes ?? [])
    case .encrypted: .boolean(context.link.isEncrypted)
    case .mtu: .integer(Int64(context.link.mtu))
    case .longTermKey: .bytes(context.link.longTermKey)
    case .uptime: .integer(context.uptime)
    case .unixTime: .integer(context.unixTime)
    case .frame, .value, .bytes: .bytes(context.event.bytes)
    case .offset: .integer(context.event.offset)
    case .reason: .text(context.event.reason ?? Self.unknownReason)
    case .interval: .decimal(Double(context.event.link.parameters?.interval ?? 0) * 1.25)
    case .latency: .integer(Int64(context.event.link.parameters?.latency ?? 0))
    case .timeout: .integer(Int64(context.event.link.parameters?.supervisionTimeout ?? 0) * 10)
    case .tx: .text((context.event.link.phys?.sent ?? .le1M).word)
    case .rx: .text((context.event.link.phys?.received ?? .le1M).word)
    }
  }
}

extension Expression.UnaryOperator {
  fileprivate func apply(_ value: Value) throws(EvaluationError) -> Value {
    switch (self, value) {
    case (.negate, .integer(let n)): .integer(try checked(Int64(0).subtractingReportingOverflow(n)))
    case (.negate, .decimal(let n)): .decimal(-n)
    case (.not, .boolean(let flag)): .boolean(!flag)
    default: preconditionFailure("'\(rawValue)' was checked to fit \(value.type)")
    }
  }
}

extension Expression.BinaryOperator {
  fileprivate func apply(_ a: Value, _ b: Value, _ effort: Effort) throws(EvaluationError) -> Value {
    switch (self, a, b) {
    case (.equal, _, _): .boolean(try Self.areEqual(a, b, effort))
    case (.notEqual, _, _): .boolean(try !Self.areEqual(a, b, effort))
    case (.add, .text(let a), .text(let b)): try Value.joined(a, b, effort)
    case (.add, .bytes(let a), .bytes(let b)): try Value.joined(a, b, effort)
    case (.divide, _, _): try divided(a.number, by: b.number)
    case (_, .integer(let a), .integer(let b)): try apply(a, b)
    case (_, .text(let a), .text(let b)): .boolean(try compare(a, b, effort))
    default: try apply(a.number, b.number)
    }
  }

  private func apply(_ a: Int64, _ b: Int64) throws(EvaluationError) -> Value {
    switch self {
    case .add: .integer(try checked(a.addingReportingOverflow(b)))
    case .subtract: .integer(try checked(a.subtractingReportingOverflow(b)))
    case .multiply: .integer(try checked(a.multipliedReportingOverflow(by: b)))
    case .divideWhole: .integer(try floorDivided(a, by: b))
    case .remainder: .integer(try floorRemainder(a, by: b))
    case .bitAnd: .integer(a & b)
    case .bitOr: .integer(a | b)
    case .bitXor: .integer(a ^ b)
    case .shiftLeft: .integer(try shiftedLeft(a, by: shiftCount(b)))
    case .shiftRight: .integer(a >> (try shiftCount(b)))
    default: .boolean(compare(a, b))
    }
  }

  private func apply(_ a: Double, _ b: Double) throws(EvaluationError) -> Value {
    switch self {
    case .add: .decimal(a + b)
    case .subtract: .decimal(a - b)
    case .multiply: .decimal(a * b)
    case .divideWhole: try Value.whole((try nonZero(a, b) / b).rounded(.down))
    case .remainder: .decimal(try nonZero(a, b) - (a / b).rounded(.down) * b)
    default: .boolean(compare(a, b))
    }
  }

  private func compare<T: Comparable>(_ a: T, _ b: T) -> Bool {
    switch self {
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    case .greaterOrEqual: a >= b
    default: preconditionFailure("'\(rawValue)' is no comparison")
    }
  }

  private func compare(_ a: String, _ b: String, _ effort: Effort) throws(EvaluationError) -> Bool {
    try effort.spend(comparing: a, b)
    return compare(a, b)
  }

  private static func areEqual(_ a: Value, _ b: Value, _ effort: Effort) throws(EvaluationError) -> Bool {
    switch (a, b) {
    case (.text(let a), .text(let b)):
      try effort.spend(comparing: a, b)
      return a == b
    case (.bytes(let a), .bytes(let b)):
      try effort.spend(a.count)
      return a == b
    case (.decimal(let a), .decimal(let b)) where a.isNaN && b.isNaN:
      return a.isNotAtThisResolution == b.isNotAtThisResolution
    default: return a.type == b.type ? a == b : a.number == b.number
    }
  }

  private func divided(_ a: Double, by b: Double) throws(EvaluationError) -> Value {
    .decimal(try nonZero(a, b) / b)
  }

  private func nonZero(_ a: Double, _ b: Double) throws(EvaluationError) -> Double {
    if b == 0 { throw .divisionByZero }
    return a
  }

  private func shiftCount(_ count: Int64) throws(EvaluationError) -> Int64 {
    guard (0...63).contains(count) else { throw .badShift(count) }
    return count
  }

  /// Fails if a bit is shifted out.
  private func shiftedLeft(_ number: Int64, by count: Int64) throws(EvaluationError) -> Int64 {
    let shifted = number << count
    guard shifted >> count == number else { throw .overflow }
    return shifted
  }

  private func floorDivided(_ a: Int64, by b: Int64) throws(EvaluationError) -> Int64 {
    if b == 0 { throw .divisionByZero }
    let quotient = try checked(a.dividedReportingOverflow(by: b))
    return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient
  }

  /// The result has the sign of the divisor, so that `a == (a // b) * b + a % b`.
  private func floorRemainder(_ a: Int64, by b: Int64) throws(EvaluationError) -> Int64 {
    if b == 0 { throw .divisionByZero }
    let remainder = a.remainderReportingOverflow(dividingBy: b).partialValue
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder
  }
}

extension Expression.Function {
  fileprivate func apply(_ arguments: [Value], _ effort: Effort) throws(EvaluationError) -> Value {
    try effort.spend(on: arguments, by: self)
    return switch (self, arguments[0]) {
    case (.ceil, let value): try Value.whole(value, .up)
    case (.floor, let value): try Value.whole(value, .down)
    case (.round, let value): try Value.whole(value, .toNearestOrAwayFromZero)
    case (.abs, .integer(let n)): .integer(n < 0 ? try checked(Int64(0).subtractingReportingOverflow(n)) : n)
    case (.abs, let value): .decimal(value.number.magnitude)
    case (.min, _): try Self.first(of: arguments, .less, effort)
    case (.max, _): try Self.first(of: arguments, .greater, effort)
    case (.size, .bytes(let bytes)): .integer(Int64(bytes.count))
    case (.size, .text(let text)): .integer(Int64(text.utf8.count))
    case (.size, .group(let rows)): .integer(Int64(rows.count))
    case (.upper, .text(let text)): try Value.limited(text.uppercased())
    case (.lower, .text(let text)): try Value.limited(text.lowercased())
    case (.text, .bytes(let bytes)): try Value.limited(String(decoding: bytes, as: UTF8.self))
    case (.text, let value): .text(value.description)
    case (.number, .text(let text)): .integer(try Self.number(text))
    case (.number, .boolean(let flag)): .integer(flag ? 1 : 0)
    case (.bytes, .text(let text)): .bytes(try Self.bytes(text))
    case (.contains, .text(let text)):
      .boolean(ByteSearch(arguments[1].utf8).first(in: Array(text.utf8)) != nil)
    case (.startsWith, .text(let text)): .boolean(text.utf8.starts(with: arguments[1].utf8))
    case (.time, _): .integer(try Self.time(arguments))
    case (.localTime, .integer(let time)):
      .integer(try TimeZones.localTime(at: Self.inCalendar(time), in: arguments[1].description))
    case (_, .integer(let time)) where CalendarPart(rawValue: rawValue) != nil:
      .integer(CalendarPart(rawValue: rawValue)!.value(at: try Self.inCalendar(time)))
    case (.sin, let value): .decimal(Glibc.sin(value.number))
    case (.cos, let value): .decimal(Glibc.cos(value.number))
    default: try applyToBytes(arguments)
    }
  }

  /// Checks that seconds since 1970 are in the calendar's range of some million years.
  private static func inCalendar(_ seconds: Int64) throws(EvaluationError) -> Int64 {
    guard seconds.magnitude < 1 << 47 else { throw .overflow }
    return seconds
  }

  private static func time(_ arguments: [Value]) throws(EvaluationError) -> Int64 {
    let parts = arguments.map { if case .integer(let number) = $0 { number } else { Int64(0) } }
    guard let time = CalendarPart.time(parts) else { throw .overflow }
    return time
  }

  private static func bytes(_ text: String) throws(EvaluationError) -> [UInt8] {
    do { return try HexText.parse(text) } catch { throw .notHex(text) }
  }

  private static func number(_ text: String) throws(EvaluationError) -> Int64 {
    guard let number = Int64(text) else { throw .notANumber(text) }
    return number
  }

  /// The number that comes first in an order; a decimal number if any of them is one.
  private static func first(
    of numbers: [Value], _ order: Expression.BinaryOperator, _ effort: Effort
  ) throws(EvaluationError) -> Value {
    var first = numbers[0]
    for number in numbers.dropFirst() where try order.apply(number, first, effort) == .boolean(true) {
      first = number
    }
    return numbers.contains { $0.type == .decimal } ? .decimal(first.number) : first
  }
}

extension Value {
  /// The most bytes of a text or bytes: a rule that doubles a text would soon fill the memory.
  package static let largestSize = 1 << 16

  static func limited(_ text: String) throws(EvaluationError) -> Value {
    guard text.utf8.count <= largestSize else { throw .tooLong(text.utf8.count) }
    return .text(text)
  }

  static func limited(_ bytes: [UInt8]) throws(EvaluationError) -> Value {
    guard bytes.count <= largestSize else { throw .tooLong(bytes.count) }
    return .bytes(bytes)
  }

  fileprivate static func joined(_ a: String, _ b: String, _ effort: Effort) throws(EvaluationError) -> Value
  {
    let count = a.utf8.count + b.utf8.count
    guard count <= largestSize else { throw .tooLong(count) }
    try effort.spend(count)
    return .text(a + b)
  }

  fileprivate static func joined(
    _ a: [UInt8], _ b: [UInt8], _ effort: Effort
  ) throws(EvaluationError) -> Value {
    let count = a.count + b.count
    guard count <= largestSize else { throw .tooLong(count) }
    try effort.spend(count)
    return .bytes(a + b)
  }
}

extension Value {
  var utf8: [UInt8] {
    if case .text(let text) = self { Array(text.utf8) } else { [] }
  }

  fileprivate var number: Double {
    switch self {
    case .integer(let n): Double(n)
    case .decimal(let n): n
    default: preconditionFailure("a number was checked to stand here, not \(type)")
    }
  }

  fileprivate static func whole(
    _ value: Value, _ rule: FloatingPointRoundingRule
  ) throws(EvaluationError) -> Value {
    if case .integer = value { return value }
    return try whole(value.number.rounded(rule))
  }

  fileprivate static func whole(_ number: Double) throws(EvaluationError) -> Value {
    guard let integer = Int64(exactly: number) else { throw .overflow }
    return .integer(integer)
  }
}

private func checked(_ result: (partialValue: Int64, overflow: Bool)) throws(EvaluationError) -> Int64 {
  if result.overflow { throw .overflow }
  return result.partialValue
}
