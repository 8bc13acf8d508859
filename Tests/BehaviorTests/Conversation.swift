import Bluetooth
import Definitions
import DeviceModel
import Framing

@testable import Behavior

/// A device and what happens to it, as a transcript: the lines that happen are given, and the lines that follow
/// from them are the engine's.
///
/// What happens:
///
///     start                 the device is on
///     > serial A5 06        a central writes; `2>` is the second central, `0>` one that cannot be told
///     > serial+4 A5 06      writes at an offset
///     ? serial              reads; `? serial+4` at an offset; `serial/0` is the first descriptor
///     +, -                  connects, disconnects; `2+` is the second central, `- local-host` gives a reason
///     +serial, -serial      subscribes, unsubscribes
///     +serial asks          subscribes, and the device may refuse
///     ] 41 54               bytes come in at the wire side
///     200 ms                time passes
///     press lamp            a person operates a control; `press level=3` gives it a value
///     set level=3 name=A    a person sets settings and variables
///     send serial A5 06     a person sends bytes; `send serial A5 to 2` to the second central
///     reset                 a person resets the device; `advertise true` and `disconnect` likewise
///
/// What follows:
///
///     < serial A5 06        a value is sent; `< serial A5 06 to` and the address of the only one that gets it
///     = 41 54               the response to a read
///     x Invalid Offset      the refusal of a read or write
///     responds              the response to a write or a subscription goes out here, where a rule places it
///     [ 41 54               bytes go out at the wire side
///     timer at 200 ms       the time of an unfinished frame is set; `no timer`: it is taken back
///     timer tick at 200 ms  likewise, of a rule; `no timer tick`
///     waits until 200 ms    a rule waits; `waits no more`: it is ended
///     plain serial A5       what encoded bytes stand for, after those that came and before those that go
///     ! serial A5: reason   bytes that are no frame, or that no rule takes
///     * text                what a rule logs, or why it failed
///     advertises Belt       by the local name; or `does not advertise`
///     keeps 50, Belt        the settings, which rules have set
///     disconnects all       or the address of one
///     forgets all          bonds, or that with one
///     pairs: display-only 000000    how the device pairs from now on; or `pairs as the system does`
struct Conversation {
  let definition: PeripheralDefinition
  var engine: Engine
  private var now = Instant()
  private var timers: [TimerIdentifier: (due: Instant, order: Int)] = [:]
  private var timerCount = 0

  static let centrals = [
    DeviceAddress("4C:32:75:0A:11:9E")!, DeviceAddress("4C:32:75:0A:11:9F")!,
  ]

  init(_ definition: PeripheralDefinition, options: EngineOptions = EngineOptions()) throws {
    self.definition = definition
    engine = try Engine(
      definition, settings: definition.settings.map(\.initial), address: DeviceAddress("50:8C:B1:6A:7C:AB")!,
      options: options)
  }

  /// The transcript as the engine makes it, for comparison with the one that was expected.
  mutating func play(_ transcript: String) -> String {
    var lines: [String] = []
    for line in transcript.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      guard line.isEmpty || happens(line) else { continue }
      lines.append(line)
      if !line.isEmpty { lines += perform(line) }
    }
    return lines.joined(separator: "\n")
  }

  private func happens(_ line: String) -> Bool {
    let first = line.first!.isNumber ? line.dropFirst().first : line.first
    return line == "start" || ">?+-]".contains(first ?? " ") || isTime(line) || controlEvent(line) != nil
  }

  private func isTime(_ line: String) -> Bool { line.first!.isNumber && line.hasSuffix(" ms") }
}

// MARK: What happens

extension Conversation {
  private mutating func perform(_ line: String) -> [String] {
    if line == "start" { return handle(.started) }
    if let event = controlEvent(line) { return handle(.controlled(event)) }
    if isTime(line) { return pass(.milliseconds(Int(line.dropLast(3))!)) }
    let number = line.first!.wholeNumberValue
    let central = number == 0 ? nil : Self.centrals[(number ?? 1) - 1]
    let text = number == nil ? line[...] : line.dropFirst()
    let words = text.dropFirst().split(separator: " ").map(String.init)
    switch text.first {
    case ">":
      let (attribute, offset) = reference(words[0])
      return handle(
        .writeRequested(central, attribute, value: bytes(words.dropFirst()), offset: offset, .request))
    case "?":
      let (attribute, offset) = reference(words[0])
      return handle(.readRequested(central, attribute, offset: offset))
    case "]": return handle(.wireReceived(bytes(words[...])))
    case "+" where words.isEmpty: return handle(.connected(central!))
    case "-" where words.isEmpty || text.hasPrefix("- "):
      return handle(.disconnected(central!, words.first.flatMap { HCIError(named: $0) }))
    case "+" where words.count > 1:
      return handle(
        .configuring(central!, characteristic: index(words[0]), value: [1, 0], from: nil, to: .notification))
    case "+": return handle(.subscribed(central, characteristic: index(words[0])))
    default: return handle(.unsubscribed(central, characteristic: index(words[0])))
    }
  }

  private mutating func pass(_ duration: Duration) -> [String] {
    let end = now.advanced(by: duration)
    var lines: [String] = []
    while let (timer, instant) = nextTimer(), instant <= end {
      now = max(now, instant)
      timers.removeValue(forKey: timer)
      lines += handle(.timerFired(timer))
    }
    now = end
    return lines
  }

  /// Of two at the same time, the one that was set first.
  private func nextTimer() -> (TimerIdentifier, Instant)? {
    timers.min { ($0.value.due, $0.value.order) < ($1.value.due, $1.value.order) }.map { ($0, $1.due) }
  }

  func bytes(_ words: ArraySlice<String>) -> [UInt8] {
    try! HexText.parse(words.joined())
  }

  func index(_ id: some StringProtocol) -> Int {
    definition.characteristics.firstIndex { $0.id == id }!
  }

  /// `serial`, `serial+4`, `serial/0`.
  private func reference(_ text: String) -> (AttributeReference, offset: Int) {
    let parts = text.split(separator: "+")
    let names = parts[0].split(separator: "/")
    let offset = parts.count > 1 ? Int(parts[1])! : 0
    let characteristic = index(names[0])
    return (
      names.count > 1 ? .descriptor(Int(names[1])!, of: characteristic) : .characteristic(characteristic),
      offset
    )
  }
}

// MARK: What follows

extension Conversation {
  private mutating func handle(_ event: Event) -> [String] {
    let outcome = engine.handle(event, at: now)
    let kept = outcome.settings.map { "keeps " + $0.map(\.description).joined(separator: ", ") }
    let response = outcome.request == nil ? outcome.response.flatMap { describe($0) } : nil
    return [kept, response].compactMap(\.self)
      + outcome.actions.map { describe($0) }
  }

  private func describe(_ response: Response) -> String? {
    switch response {
    case .accepted: nil
    case .value(let value): "= " + HexText.format(value)
    case .refused(let error, _): "x \(error)"
    }
  }

  private mutating func describe(_ action: Action) -> String {
    switch action {
    case .respond(let response, _): return describe(response) ?? "responds"
    case .notify(let characteristic, let value, _, let central):
      let recipient = central.map { " to \($0)" } ?? ""
      return "< \(id(characteristic)) " + HexText.format(value) + recipient
    case .transmit(let channel, let bytes, _, let central):
      let id = engine.definition.channels[channel].id
      return "< \(id) \(HexText.format(bytes)) to \(central?.description ?? "all")"
    case .close(let channel, let central):
      return "closes \(engine.definition.channels[channel].id) of \(central?.description ?? "all")"
    case .sendPDU(let packet, let central):
      return "<< \(HexText.format(packet)) to \(central?.description ?? "all")"
    case .askLink(let change, let central):
      return "asks \(central?.description ?? "all") for \(change.phys?.sent.word ?? "longer packets")"
    case .writeToWire(let bytes, _): return "[ " + HexText.format(bytes)
    case .startTimer(let timer, let instant):
      timerCount += 1
      timers[timer] = (instant, timerCount)
      return describe(timer, at: instant)
    case .stopTimer(let timer):
      timers[timer] = nil
      return describe(timer, at: nil)
    case .serve(let table, let toConnected):
      return "serves \(describe(table))\(toConnected ? " to connected centrals" : "")"
    case .advertise(let advertisement):
      return advertisement.map { "advertises \($0.localName ?? "no name")" } ?? "does not advertise"
    case .pair(let policy): return describe(policy)
    case .disconnect(let central, let reason):
      let note = reason == .remoteUserTerminated ? "" : " (\(reason.name))"
      return "disconnects \(central?.description ?? "all")\(note)"
    case .forgetOldest(let other): return "forgets the oldest" + (other.map { " besides \($0)" } ?? "")
    case .forget(let central): return "forgets \(central?.description ?? "all")"
    case .setBaud(let baud): return "\(baud) baud"
    case .ask(_, let frame): return "asks about \(HexText.format(frame))"
    case .request(let request, let central):
      return "asks \(central?.description ?? "all") to \(describe(request))"
    case .relay(let events): return "relays " + events.map(describe).joined(separator: ", ")
    case .remark(let remark): return describe(remark)
    }
  }

  private func describe(_ policy: PairingPolicy?) -> String {
    guard let policy else { return "pairs as the system does" }
    guard policy.isAllowed else { return "does not pair" }
    let passkey = policy.passkey.map { " \(Passkey.text(of: $0))" } ?? ""
    return "pairs: \(policy.capability.name)\(passkey)" + (policy.bonds ? "" : ", keeps no keys")
  }

  private func describe(_ table: AttributeTable) -> String {
    table.services.map { service in
      "\(service.uuid): " + service.characteristics.map(\.uuid.description).joined(separator: " ")
    }.joined(separator: ", ")
  }

  private func describe(_ timer: TimerIdentifier, at instant: Instant?) -> String {
    let time = instant.map { "\($0.milliseconds) ms" }
    switch timer {
    case .frameGap: return time.map { "timer at \($0)" } ?? "no timer"
    case .rule(let index):
      let name = definition.timers[index]
      return time.map { "timer \(name) at \($0)" } ?? "no timer \(name)"
    case .ruleOfCentral(let index, let central):
      let name = "\(definition.timers[index]) of \(central)"
      return time.map { "timer \(name) at \($0)" } ?? "no timer \(name)"
    case .address: return time.map { "another address at \($0)" } ?? "no other address"
    case .advertisement: return time.map { "advertises anew at \($0)" } ?? "no new advertisement"
    case .wait: return time.map { "waits until \($0)" } ?? "waits no more"
    }
  }

  private func describe(_ remark: Remark) -> String {
    switch remark {
    case .discarded(let endpoint, let bytes, let reason):
      "! \(id(endpoint)) \(HexText.format(bytes)): \(reason)"
    case .tooMuchHeld(let endpoint, let bytes, _):
      "! \(id(endpoint)) \(HexText.format(bytes)): too much is held"
    case .plain(let endpoint, let bytes, _): "plain \(id(endpoint)) \(HexText.format(bytes))"
    case .frame(let endpoint, _, let bytes): "frame \(id(endpoint)) \(HexText.format(bytes))"
    case .unexpected(let endpoint, let frame): "! \(id(endpoint)) \(HexText.format(frame)): no rule takes it"
    case .ruleFailed(let line, _, let reason): "* line \(line): \(reason)"
    case .turnedAway(let central, let limit): "! \(central) is turned away, as \(limit) is the limit"
    case .assembled(let endpoint, let frame, let line, _):
      "* \(id(endpoint)) \(HexText.format(frame)) by line \(line)"
    case .intervened(let interceptor, let refuses):
      "* interceptor \(interceptor) \(refuses ? "refuses" : "answers")"
    case .refusedLate(let endpoint, let error): "! \(id(endpoint)): \(error)"
    case .unsent(let endpoint, let reason): "* '\(id(endpoint))' sends nothing: \(reason)"
    case .passedLayer(let layer, let bytes, let isSent):
      "\(isSent ? "goes out of" : "comes to") \(definition.layers[layer].name) \(HexText.format(bytes))"
    case .struck(let strike): "\(strike.fault) strikes \(HexText.format(strike.value ?? []))"
    case .passed(let endpoint, let message, let isSent):
      "* \(message) \(isSent ? "from" : "for") \(id(endpoint))"
    case .logged(let text): "* \(text)"
    }
  }

  private func describe(_ request: ClientRequest) -> String {
    let sought = engine.definition.sought
    return switch request {
    case .discover: "be discovered"
    case .subscribe(let index): "send \(sought[index].id)"
    case .read(let index): "be read: \(sought[index].id)"
    case .write(let index, let value, _): "take \(sought[index].id) \(HexText.format(value))"
    }
  }

  private func describe(_ event: Event) -> String {
    switch event {
    case .readRequested(_, let attribute, let offset): "? \(definition.name(of: attribute))+\(offset)"
    case .writeRequested(_, let attribute, let value, _, _):
      "> \(definition.name(of: attribute)) \(HexText.format(value))"
    case .subscribed(_, let characteristic, _): "+\(id(characteristic))"
    case .unsubscribed(_, let characteristic): "-\(id(characteristic))"
    default: "\(event)"
    }
  }

  private func id(_ endpoint: Endpoint) -> String {
    switch endpoint {
    case .characteristic(let index): id(index)
    case .layer(let index): definition.layers[index].name
    default: "wire"
    }
  }

  private func id(_ characteristic: Int) -> String { definition.characteristics[characteristic].id }
}
