import Bluetooth
import Testing

@testable import Definitions
@testable import DeviceModel

/// What a running device knows: its state, its centrals, the time, groups of rows.
@Suite struct KnownValueTests {
  static let columns = [
    DataTable.Column(name: "volts", type: .integer), DataTable.Column(name: "note", type: .text),
  ]

  static let scope: NameScope = {
    var scope = NameScope()
    scope.states = ["idle", "measuring"]
    scope.addNotifying("serial", index: 0)
    scope.addNotifying("FFE2", index: 1)
    scope.addNotifying("2A37", index: 2)
    scope.addAttribute("serial", .attribute(.characteristic(0)))
    scope.addAttribute("serial/2902", .configuration(of: 0))
    scope.addAttribute("FFE2", .attribute(.characteristic(1)))
    scope.hasCentral = true
    scope.addVariable("count", index: 0, type: .integer)
    scope.addVariable("cells", index: 1, type: .group(columns))
    scope.addGenerator("pulse", index: 0, type: .decimal)
    return scope.adding(
      [.frame, .value, .offset, .reason] + KnownValue.ofParameters + KnownValue.ofPHY,
      NameScope.Reasons(isOfDisconnection: true)
    ).adding(local: 1, name: "i", type: .integer)
  }()

  static let context: EvaluationContext = {
    let cells = Value.group([[.integer(3325), .text("a")], [.integer(3330), .text("b")]])
    var context = EvaluationContext(
      variables: [.integer(5), cells], address: [0, 0x1A, 0x7D, 0xDA, 0x71, 0x13])
    context.generators = [.decimal(61.5)]
    context.state = "measuring"
    context.centrals = 2
    context.subscribers = [0, 1, 3]
    context.uptime = 61_000
    context.unixTime = 1_704_067_200
    context.event.bytes = [0xA5, 0x01]
    context.event.offset = 20
    context.event.reason = "supervision-timeout"
    context.event.link = LinkChange(
      parameters: ConnectionParameters(interval: 39, latency: 2, supervisionTimeout: 400),
      phys: Directions(sent: .le2M, received: .leCoded))
    context.event.central = DeviceAddress([1, 2, 3, 4, 5, 6])
    context.event.locals = [.integer(7), .integer(8)]
    var link = LinkState()
    (link.mtu, link.isEncrypted, link.longTermKey) = (185, true, [0x67, 0x6E])
    context.links[DeviceAddress([1, 2, 3, 4, 5, 6])!] = link
    context.handle = { owner in
      switch owner {
      case .attribute(.characteristic(0)): 0x12
      case .configuration(of: 0): 0x13
      default: 0
      }
    }
    return context
  }()

  @Test(
    arguments: [
      ("state", .text("measuring")), ("state == 'measuring'", .boolean(true)),
      ("'idle' == state", .boolean(false)),
      ("state != 'idle'", .boolean(true)), ("state + '!'", .text("measuring!")),
      ("centrals", .integer(2)), ("central[0]", .integer(1)), ("central.hex", .text("010203040506")),
      ("encrypted", .boolean(true)), ("mtu - 3", .integer(182)), ("ltk", .bytes([0x67, 0x6E])),
      ("handle(serial)", .integer(0x12)),
      ("handle('serial/2902')", .integer(0x13)), ("u16le(handle(serial))", .bytes([0x12, 0])),
      ("handle('FFE2')", .integer(0)),  // the device does not have it
      ("uptime // 1s", .integer(61)), ("unix-time % 86400", .integer(0)),
      ("unix-time - 1", .integer(1_704_067_199)),
      ("reason", .text("supervision-timeout")), ("reason == 'unknown'", .boolean(false)),
      ("'0x2E' != reason", .boolean(true)),
      ("interval", .decimal(48.75)), ("interval > 48ms", .boolean(true)), ("latency", .integer(2)),
      ("timeout == 4s", .boolean(true)), ("tx", .text("2M")), ("'coded' == rx", .boolean(true)),
      ("frame[0]", .integer(0xA5)), ("value.size", .integer(2)), ("offset", .integer(20)),
      ("subscribed(serial)", .boolean(false)), ("subscribed(FFE2)", .boolean(true)),
      ("subscribed('2A37')", .boolean(true)), ("not subscribed(serial)", .boolean(true)),
      ("if(subscribed(FFE2), 1, 2)", .integer(1)),
      ("count * 2", .integer(10)), ("pulse", .decimal(61.5)), ("round(pulse)", .integer(62)),
      ("i", .integer(8)),
      ("cells.size", .integer(2)), ("size(cells)", .integer(2)), ("cells[1].volts", .integer(3330)),
      ("cells[0].note", .text("a")), ("cells[2].volts", .integer(0)), ("cells[2].note", .text("")),
      ("cells[-1].volts", .integer(0)), ("cells[cells.size - 1].volts - cells[0].volts", .integer(5)),
      ("cells == cells", .boolean(true)),
    ] as [(String, Value)])
  func `a name is what it is now`(text: String, value: Value) throws {
    let typed = try ExpressionChecker.check(text, in: Self.scope)
    #expect(try typed.expression.evaluate(in: Self.context) == value)
    #expect(typed.type == value.type)
  }

  @Test(
    arguments: [
      ("state == 'mesuring'", "9-19: no state 'mesuring' (did you mean 'measuring'?)"),
      ("'x' != state", "0-3: no state 'x' (known: idle, measuring)"),
      (
        "reason == 'supervision-timout'",
        "10-30: unknown reason 'supervision-timout' (did you mean 'supervision-timeout'?)"
      ),
      ("tx == '3M'", "6-10: unknown PHY '3M' (did you mean '1M'?)"),
      (
        "'0x08' == reason",
        "0-6: unknown reason '0x08' (such as 'supervision-timeout', or the code of one without a name, as in '0x2E')"
      ),
      (
        "state == 1", "0-10: '==' does not apply to text and an integer (number(…) converts text to a number)"
      ),
      (
        "subscribed(seriel)",
        "11-17: no characteristic 'seriel' notifies or indicates (did you mean 'serial'?)"
      ),
      ("subscribed('FFE9')", "11-17: no characteristic 'FFE9' notifies or indicates (did you mean 'FFE2'?)"),
      ("subscribed()", "0-12: 'subscribed' takes the id of a characteristic (known: 2A37, FFE2, serial)"),
      ("subscribed(2A37)", "11-15: '2A37' is not a number (write 17, 0x11, 1.5 or 200ms)"),
      (
        "subscribed(serial, FFE2)",
        "0-24: 'subscribed' takes the id of a characteristic (known: 2A37, FFE2, serial)"
      ),
      ("handle(seriel)", "7-13: the device has no attribute 'seriel' (did you mean 'serial'?)"),
      ("handle(1)", "0-9: 'handle' takes the id of an attribute (known: FFE2, serial, serial/2902)"),
      ("subscribed", "0-10: unknown name 'subscribed'"), ("unix", "0-4: unknown name 'unix'"),
      ("up-time", "0-7: unknown name 'up-time' (did you mean 'uptime'?)"),
      ("cells", nil), ("cells + 1", "0-9: '+' does not apply to rows of volts, note and an integer"),
      ("cells[0]", "0-8: a row is not a value (add '.' and a field)"),
      ("cells[0].volt", "0-13: the group has no field 'volt' (did you mean 'volts'?)"),
      ("cells['a'].volts", "6-9: expected an integer, found text"),
      ("cells[0, 1].volts", "0-17: expected one index, counted from 0"),
      ("text(cells)", "0-11: 'text' takes one value"), ("cells.volts", "0-11: unknown function 'volts'"),
    ] as [(String, String?)])
  func `what does not fit is refused with its place and a hint`(text: String, mistake: String?) {
    var found: String?
    do { _ = try ExpressionChecker.check(text, in: Self.scope) } catch {
      let range = "\(error.range.lowerBound)-\(error.range.upperBound)"
      found = "\(range): \(error.message)" + (error.hint.map { " (\($0))" } ?? "")
    }
    #expect(found == mistake)
  }

  @Test func `a device without states declares them first`() {
    let error = #expect(throws: TextError.self) {
      try ExpressionChecker.check("state == 'on'", in: NameScope())
    }
    #expect(error?.hint == "declare it: states: [on]")
  }

  @Test func `without a central a link has just begun`() throws {
    var context = Self.context
    context.event.central = nil
    for (text, value) in [("encrypted", Value.boolean(false)), ("mtu", .integer(23)), ("ltk", .bytes([]))] {
      let typed = try ExpressionChecker.check(text, in: Self.scope)
      #expect(try typed.expression.evaluate(in: context) == value)
    }
  }

  /// The sample data of the Coordinated Set Identification Service for `k1` and `sef` (Appendix A).
  @Test func `the Long Term Key encrypts the key of a coordinated set`() throws {
    var (context, link) = (Self.context, LinkState())
    link.longTermKey = [
      0x67, 0x6E, 0x1B, 0x9B, 0xD4, 0x48, 0x69, 0x6F, 0x06, 0x1E, 0xC6, 0x22, 0x3C, 0xE5, 0xCE, 0xD9,
    ]
    context.links[DeviceAddress([1, 2, 3, 4, 5, 6])!] = link
    let salt = "aes-cmac(fill(0, 16), bytes('5349524B656E63'))"
    let mask = "aes-cmac(aes-cmac(\(salt), ltk), bytes('63736973'))"
    let sealed = "hex(xor(\(mask), bytes('457D7D0921A1FD22CECD8C86DD72CCCD')))"
    for (text, value) in [
      ("hex(\(salt))", "6901983F18149E823C7D133A7D774572"),
      ("hex(\(mask))", "5277453CC094D982B0E8EE532F2D1F8B"), (sealed, "170A3835E13524A07E2562D5F25FD346"),
    ] {
      let typed = try ExpressionChecker.check(text, in: Self.scope)
      #expect(try typed.expression.evaluate(in: context) == .text(value))
    }
  }

  @Test func `a reason that nobody has told is unknown`() throws {
    let typed = try ExpressionChecker.check("reason == 'unknown'", in: Self.scope)
    #expect(try typed.expression.evaluate(in: EvaluationContext()) == .boolean(true))
  }

  @Test func `outside of an event there is no frame, value, offset or reason`() {
    for name in ["frame", "value", "offset", "reason"] {
      #expect(throws: TextError.self) { try ExpressionChecker.check(name, in: NameScope()) }
    }
  }
}
