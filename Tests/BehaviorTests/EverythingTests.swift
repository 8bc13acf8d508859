import Bluetooth
import DeviceModel
import Framing
import TestSupport
import Testing

@testable import Behavior

/// A device that does everything the language has, under whatever may happen to it.
@Suite struct EverythingTests {
  static let device = definition(
    """
    settings:
      level: { type: integer, min: 0, max: 100, default: 50 }
      name: { type: text, max: 12, default: Belt }
      secret: { type: bytes, max: 8, default: "00" }
    variables:
      count: { type: integer, min: -1000, max: 1000, default: 0 }
      last: { type: bytes, max: 64, default: "" }
      worn: { type: boolean, default: true }
    states: [idle, busy, broken]
    generators:
      pulse: { shape: sine, min: 60, max: 80, period: 3s }
      charge: { shape: ramp, from: 100.0, to: 0, over: 10s }
      heat: { shape: random-walk, min: 30, max: 40, step: 3, every: 100ms }
      dice: { shape: random, min: 1, max: 6, every: 50ms }
    advertisement:
      local-name: "{name} {count}"
      manufacturer-data: { FFFF: "{last}" }
    link: { mtu: 64, centrals: 2 }
    security: { bonding: secret.size > 1 }
    services:
      - uuid: FFE0
        characteristics:
          - { id: in, uuid: FFE1, properties: [write, write-without-response] }
          - { id: out, uuid: FFE2, properties: [notify], value: "{heat: u8}" }
          - { id: data, uuid: FFE3, properties: [read, write, notify], value: "{dice: u8}" }
          - { id: line, uuid: "FF{secret.size: u8}", properties: [read, write, indicate] }
    framing:
      in: { start: A5, length: { at: 1, counts: frame }, check: xor8, gap: 200ms, max: 64 }
      line: { delimiter: "0A", gap: 1s, max: 40 }
      data: [{ start: A5, length: { at: 1, counts: frame }, check: xor8, max: 16 }, { start: 5A, size: 3, gap: 100ms }]
      out: { encode: "value + u8(level + 200)" }
      wire: { idle: 20ms, max: 30 }
    wire: { bridge: line, baud: 1000 + count * 3 }
    messages:
      number: "A5 06 01 {n: i16le} {xor8}"
      bytes: "A5 {size: u8} 02 {data: bytes} {xor8}"
      order: "A5 04 {order: u8} {xor8}"
      text: "{text: text}"
      pair: "{a: u8} {b: i64be}"
    actions:
      lose: [{ set: { worn: not worn } }, { if: worn, perform: note }]
      note: { log: "{setting('name')} {can-set('level', text(count))}" }
    controls:
      button: { do: [{ set: { count: count + 1 } }, { send: pair, with: { a: count, b: 1 }, to: out }] }
      slider: { set: level }
      switch: { set: worn }
    rules:
      - { on: { set: level }, if: level > 95, do: reset }
      - { on: { set: worn }, do: [{ set: { level: 7 } }, { wait: 20ms }, { log: "{worn}" }] }
      - { on: { control: switch }, if: worn, do: { perform: note } }
      - { on: start, do: [{ start: tick, every: 250ms }, { wait: "random(1, 3000)" }, { log: "up {uptime}" }] }
      - { on: connect, if: centrals > 1, do: [{ enter: busy }, { wait: 1s }, { enter: idle }] }
      - { on: connect, do: [{ set: { count: count + 1 } }, { log: "{central.hex} {subscribed(out)}" }] }
      - { on: disconnect, do: [{ enter: idle }, { advertise: worn }, { wait: 10ms }, { log: gone }] }
      - { on: { subscribe: out }, do: [{ start: fast, every: 7ms * dice }, { send: pair, with: { a: pulse, b: heat } }] }
      - { on: { unsubscribe: out }, do: { stop: fast } }
      - { on: { timer: fast }, do: { send: pair, with: { a: "pulse + dice", b: "round(charge * 1000)" }, to: out } }
      - on: { timer: tick }
        in: busy
        do:
          - { repeat: dice, index: i, do: [{ set: { count: "count + i - 3" } }, { if: i == 2, wait: 5ms }] }
          - { if: "random(1, 9) == 1", start: once, after: 1s }
      - { on: { timer: tick }, if: "random(1, 40) == 1", do: restore-settings }
      - { on: { timer: tick }, in: broken, do: reset }
      - { on: { timer: once }, do: [{ enter: broken }, { log: "{state} {unix-time}" }] }
      - { on: { receive: number }, if: n > 0, do: [{ set: { count: n } }, { send: number, to: data }] }
      - { on: { receive: number }, if: 100 // n < -3, do: [{ set: { level: level + n } }, disconnect] }
      - { on: { receive: number }, do: { repeat: -n, do: { set: { count: count + 1 } } } }
      - { on: { receive: bytes }, do: [{ set: { last: last + data, secret: data } }, { send: pair, with: { a: "data[0]", b: "data[1] << data[2]" }, to: out }] }
      - { on: { receive: order }, if: order == 1, do: [{ hold: in }, { wait: 30ms }, { release: in }] }
      - { on: { receive: order }, if: order == 7, do: [{ hold: line }, { hold: wire }] }
      - { on: { receive: order }, if: order == 3, do: [{ release: wire }, { release: line }] }
      - { on: { receive: order }, if: order == 4, do: [{ repeat: 50, do: [{ enter: busy }, { enter: idle }] }] }
      - { on: { receive: order }, if: order == 5, do: { advertise: "order != 5" } }
      - { on: { receive: order }, if: order == 6, do: [{ wait: 1ms }, reset] }
      - { on: { receive: order }, if: order == 8, do: apply-baud }
      - { on: { receive: order }, if: order == 9, do: [{ receive: "frame + frame", from: line }, { perform: lose }] }
      - { on: { receive: order }, if: order == 0, do: [{ set-setting: "if(worn, 'level', 'secret')", value: text(count) }, { receive: "bytes('A506')" }] }
      - { on: { receive: [order, number] }, while: busy, do: [{ hold: line }, { wait: 80ms }, respond, { release: line }, { perform: note }] }
      - { on: { receive: order }, do: { wait: order * 1s } }
      - { on: { receive: text, from: line }, if: "starts-with(text, 'A')", do: [{ set: { name: text } }, { send: text }] }
      - { on: { receive: text, from: wire }, if: "contains(text.upper, 'B')", do: [{ set: { count: number(text) } }, { send: text, to: line }] }
      - { on: { read: data }, if: "offset % 3 == 1", do: { refuse: "0x85" } }
      - { on: { read: data }, in: busy, do: [{ if: worn, respond: pair, with: { a: 1, b: offset } }, { respond: text, with: { text: name } }, { wait: 1s }] }
      - { on: { write: data }, if: "value[0] > 200", do: { refuse: invalid-attribute-value-length } }
      - { on: { write: data }, if: value.size > 9, while: [idle, busy], do: [{ wait: 90ms }, { if: worn, refuse: "0x86" }, respond, { wait: 9ms }] }
      - { on: { write: data }, do: [{ set: { worn: "value.size % 2 == 0" } }, { wait: value.size * 100ms }, { send: text, with: { text: hex(value) }, to: out }] }
      - { on: { enter: busy }, do: [{ log: "{name} {random(1, count)}" }, { if: "dice == 1", enter: broken }] }
      - { on: { leave: busy }, do: { set: { count: count * 2 } } }
    """)

  @Test(arguments: Sample.part([1], of: [1, 2, 3] as [UInt64]))
  func `whatever happens, it answers, and stays within its limits`(seed: UInt64) throws {
    var options = EngineOptions(seed: seed)
    options.notesFrames = true
    var random = SplitMix64(seed: seed)
    var world = World(
      try Engine(
        Self.device, settings: Self.device.settings.map(\.initial), address: Conversation.centrals[0],
        options: options))
    world.take(.started)
    for _ in 0..<20_000 { world.step(&random) }
    #expect(world.mistakes == [])
    // It did what it was to be tried with.
    #expect(world.firings > 5000)
    #expect(world.kinds.count == Kind.allCases.count, "\(Set(Kind.allCases).subtracting(world.kinds))")
  }

  @Test func `the same events with the same seed are the same life, with a log or without`() throws {
    let lives = try [true, true, false].map { makesRemarks in
      var options = EngineOptions(seed: 9)
      options.makesRemarks = makesRemarks
      var random = SplitMix64(seed: 9)
      var world = World(
        try Engine(
          Self.device, settings: Self.device.settings.map(\.initial), address: Conversation.centrals[0],
          options: options))
      world.take(.started)
      var outcomes: [[Outcome]] = []
      for _ in 0..<3000 { outcomes.append(world.step(&random)) }
      return outcomes
    }
    #expect(lives[0] == lives[1])
    #expect(lives[0].joined().map(\.withoutRemarks) == Array(lives[2].joined()))
  }
}

extension Outcome {
  fileprivate var withoutRemarks: Outcome {
    let actions = actions.filter { if case .remark = $0 { false } else { true } }
    return Outcome(settings: settings, response: response, request: request, actions: actions)
  }
}

/// What a part of an outcome is, without its values.
private enum Kind: CaseIterable {
  case accepted, value, refused, notify, writeToWire, startTimer, startFrameTimer, startWait, stopTimer,
    stopFrameTimer, stopWait
  case advertise, stopAdvertising, disconnectOne, disconnectAll, discarded, tooMuchHeld, unexpected,
    ruleFailed, turnedAway
  case ask, intervened, plain, frame, assembled, logged, keepSettings, setBaud, serve, pair, forget

  init(_ action: Action) {
    switch action {
    case .respond(let response, _): self.init(response)
    case .notify, .transmit, .request, .sendPDU: self = .notify
    case .writeToWire: self = .writeToWire
    case .startTimer(.rule, _), .startTimer(.ruleOfCentral, _): self = .startTimer
    case .startTimer(.frameGap, _): self = .startFrameTimer
    case .startTimer(.wait, _): self = .startWait
    case .startTimer(.advertisement, _), .stopTimer(.advertisement): self = .startTimer
    case .startTimer(.address, _), .stopTimer(.address): self = .startTimer
    case .stopTimer(.rule), .stopTimer(.ruleOfCentral): self = .stopTimer
    case .stopTimer(.frameGap): self = .stopFrameTimer
    case .stopTimer(.wait): self = .stopWait
    case .advertise(nil): self = .stopAdvertising
    case .advertise: self = .advertise
    case .disconnect(nil, _): self = .disconnectAll
    case .disconnect, .close, .askLink: self = .disconnectOne
    case .setBaud: self = .setBaud
    case .serve: self = .serve
    case .pair: self = .pair
    case .forget, .forgetOldest: self = .forget
    case .ask, .relay: self = .ask
    case .remark(.discarded): self = .discarded
    case .remark(.tooMuchHeld): self = .tooMuchHeld
    case .remark(.intervened): self = .intervened
    case .remark(.plain), .remark(.passedLayer), .remark(.struck): self = .plain
    case .remark(.frame): self = .frame
    case .remark(.unexpected): self = .unexpected
    case .remark(.ruleFailed): self = .ruleFailed
    case .remark(.turnedAway): self = .turnedAway
    case .remark(.assembled): self = .assembled
    case .remark(.logged), .remark(.unsent), .remark(.passed), .remark(.refusedLate): self = .logged
    }
  }
}

extension Kind {
  fileprivate init(_ response: Response) {
    switch response {
    case .accepted: self = .accepted
    case .value: self = .value
    case .refused: self = .refused
    }
  }
}

/// A transport, a wire and a clock that do as they like.
private struct World {
  private(set) var engine: Engine
  private(set) var mistakes: [String] = []
  private(set) var kinds: Set<Kind> = []
  private(set) var firings = 0
  private var now = Instant()
  private var timers: [TimerIdentifier: Instant] = [:]
  private let centrals = (1...4).map { DeviceAddress([0, 0, 0, 0, 0, UInt8($0)])! }
  private var connected: [DeviceAddress] = []

  /// The streams whose frames somebody wants, in the order of the questions.
  private var questions: [StreamKey] = []
  /// The requests without a response.
  private var placed: Set<Int> = []

  init(_ engine: Engine) {
    self.engine = engine
    self.engine.ask { $1.count % 3 == 0 }
  }

  /// Lets time pass, or something happen.
  @discardableResult
  mutating func step(_ random: inout SplitMix64) -> [Outcome] {
    if random.next() % 3 == 0 { return pass(.milliseconds(Int64(random.next() % 120))) }
    return [take(event(&random))]
  }

  private mutating func pass(_ duration: Duration) -> [Outcome] {
    let end = now.advanced(by: duration)
    var outcomes: [Outcome] = []
    while let next = timers.filter({ $0.value <= end }).min(by: Self.isEarlier) {
      now = max(now, next.value)
      timers[next.key] = nil
      firings += 1
      outcomes.append(take(.timerFired(next.key)))
    }
    now = end
    return outcomes
  }

  private static func isEarlier(
    _ a: (key: TimerIdentifier, value: Instant), _ b: (key: TimerIdentifier, value: Instant)
  ) -> Bool {
    a.value == b.value ? "\(a.key)" < "\(b.key)" : a.value < b.value
  }

  @discardableResult
  mutating func take(_ event: Event) -> Outcome {
    let outcome = engine.handle(event, at: now)
    if outcome.settings != nil { kinds.insert(.keepSettings) }
    if let response = outcome.response { kinds.insert(Kind(response)) }
    if let request = outcome.request { placed.insert(request) }
    for action in outcome.actions { perform(action) }
    check(outcome, of: event)
    return outcome
  }

  private mutating func perform(_ action: Action) {
    kinds.insert(Kind(action))
    switch action {
    case .respond(_, let request):
      if placed.remove(request) == nil { mistakes.append("a second response to \(request)") }
    case .startTimer(let timer, let instant): timers[timer] = instant
    case .stopTimer(let timer): timers[timer] = nil
    case .ask(let key, _): questions.append(key)
    default: break
    }
  }

  private mutating func check(_ outcome: Outcome, of event: Event) {
    if (outcome.response != nil) != event.isRequest { mistakes.append("a response to \(event)") }
    if case .readRequested = event, outcome.response == .accepted {
      mistakes.append("a read without a value")
    }
    let awaited = Set(engine.waits.rules.values.compactMap(\.activation.request))
    if !placed.isSubset(of: awaited) { mistakes.append("no rule responds to \(placed.subtracting(awaited))") }
    if engine.waits.rules.count > 256 { mistakes.append("\(engine.waits.rules.count) wait") }
    let framers = engine.streams.places.joined().count
    if framers > 3 * 6 { mistakes.append("\(framers) framers") }
    let running = engine.timers.entries.joined().count { $0.due != nil }
    if running > 3 { mistakes.append("\(running) timers") }
    if timers.count > 256 + 18 + 3 { mistakes.append("\(timers.count) timers are set") }
    for held in engine.held.places.values where held.frames.count > 4096 {
      mistakes.append("\(held.frames.count) frames are held")
    }
    if engine.links.centrals.count > 2 { mistakes.append("\(engine.links.centrals.count) centrals") }
    if Set(engine.waits.rules.keys.map { TimerIdentifier.wait($0) }) != Set(timers.keys.filter(\.isWait)) {
      mistakes.append("what waits has no timer")
    }
    for value in engine.attributes.values where value.count > 512 {
      mistakes.append("a value of \(value.count) bytes")
    }
    if outcome.actions.count > 3000 { mistakes.append("\(outcome.actions.count) actions") }
  }
}

extension TimerIdentifier {
  fileprivate var isWait: Bool { if case .wait = self { true } else { false } }
}

// MARK: What happens

extension World {
  private mutating func event(_ random: inout SplitMix64) -> Event {
    let central = random.next() % 9 == 0 ? nil : centrals.randomElement(using: &random)!
    let characteristic = Int(random.next() % 4)
    if !questions.isEmpty, random.next() % 2 == 0 {
      let key = questions.removeFirst()
      let answer = Intervention.Answer(random.bytes(20), from: .characteristic(1), to: central)
      return .intervention(random.next() % 2 == 0 ? .take(key, answer, by: 1) : .pass(key))
    }
    switch random.next() % 40 {
    case 0, 1: return .connected(central ?? centrals[0])
    case 2: return .disconnected(central ?? centrals[1])
    case 3: return .subscribed(central, characteristic: characteristic)
    case 4: return .unsubscribed(central, characteristic: characteristic)
    case 5...8: return .readRequested(central, .characteristic(2), offset: Int(random.next() % 40))
    case 9: return .wireReceived(random.bytes(random.next() % 4 == 0 ? 3000 : 100))
    case 10...14: return .wireReceived(Array(["AB", "12B", "x\n", "b"].randomElement(using: &random)!.utf8))
    case 15...19:
      return .writeRequested(central, .characteristic(3), value: line(&random), offset: 0, .request)
    case 20...23:
      let value = random.bytes(Int(random.next() % 20))
      let offset = random.next() % 5 == 0 ? 1 : 0
      return .writeRequested(central, .characteristic(2), value: value, offset: offset, .request)
    case 24:
      let write = Event.writeRequested(
        central, .characteristic(2), value: random.bytes(30), offset: Int(random.next() % 40), .request)
      return .intervention(.respond(to: write, with: .accepted, by: 1))
    case 25, 26: return .controlled(controlEvent(of: central, &random))
    default: return .writeRequested(central, .characteristic(0), value: frame(&random), offset: 0, .command)
    }
  }

  private func controlEvent(of central: Central?, _ random: inout SplitMix64) -> ControlEvent {
    let level = Value.integer(Int64(random.next() % 120))
    switch random.next() % 8 {
    case 0: return .operate(control: 0, nil)
    case 1: return .operate(control: 1, random.next() % 4 == 0 ? nil : level)
    case 2: return .operate(control: 2, nil)
    case 3:
      let secret = Value.bytes(random.bytes(Int(random.next() % 9)))
      return .set([.init(.setting(0), level), .init(.setting(2), secret)])
    case 4: return .send(random.bytes(20), from: .characteristic(1), message: nil, to: central)
    case 5: return .send(random.bytes(20), from: .wire, message: nil, to: nil)
    case 6: return .advertise(random.next() % 3 > 0)
    default:
      switch random.next() % 9 {
      case 0: return .reset
      case 1: return .forget(central)
      default: return .disconnect(central, .remoteUserTerminated)
      }
    }
  }

  private func line(_ random: inout SplitMix64) -> [UInt8] {
    Array(
      ["A1\n", "AT", "+NAME\nA", "\n\n", String(repeating: "B", count: 60)].randomElement(using: &random)!
        .utf8)
  }

  /// A message with its checksum, or two, or part of one.
  private func frame(_ random: inout SplitMix64) -> [UInt8] {
    var frame: [UInt8]
    switch random.next() % 7 {
    case 6: frame = [0xA5, 5, 9, 9]
    case 0, 1: frame = [0xA5, 6, 1] + random.bytes(2)
    case 2: frame = [0xA5, 6, 1, UInt8(random.next() % 4), 0]
    case 3:
      let data = random.bytes(Int(random.next() % 12))
      frame = [0xA5, UInt8(4 + data.count), 2] + data
    default: frame = [0xA5, 4, UInt8(random.next() % 9)]
    }
    frame.append(frame.reduce(0, ^))
    switch random.next() % 9 {
    case 0: return frame + frame
    case 1: return Array(frame.dropLast(Int(random.next() % 3)))
    case 2: return [0] + frame
    default: return frame
    }
  }
}
