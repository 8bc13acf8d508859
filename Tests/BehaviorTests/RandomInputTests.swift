import Definitions
import DeviceModel
import Framing
import TestSupport
import Testing

@testable import Behavior

/// Centrals that follow no protocol, the same on every run.
@Suite struct RandomInputTests {
  static let names = ["bracelet", "hm-10"]

  @Test(arguments: names)
  func `whatever a central does, the engine answers`(name: String) throws {
    var random = SplitMix64(seed: 7)
    try Self.bother(bundled(name), &random, events: 3000)
  }

  /// Other numbers, names and types than the author meant: what is loaded also runs.
  @Test(arguments: names)
  func `a definition that was changed and still loads runs`(name: String) throws {
    let original = try bundledText(name)
    let folder = MemoryFolder(files: [:], otherData: "month,day,samples\n1,2,A5 06\n1,3,\n")
    var random = SplitMix64(seed: 8)
    var loadedCount = 0
    let rounds = Sample.rounds(of: 200)
    for _ in 0..<rounds {
      let text = random.changed(original)
      let file = DefinitionFile(name: "device.yaml", text: text, folder: folder)
      let loaded = DefinitionLoader.load(file, bundled: library)
      guard let definition = loaded.definition else { continue }
      loadedCount += 1
      try Self.bother(definition, &random, events: 40)
    }
    #expect(loadedCount > rounds / 20)
  }

  static func bother(_ definition: PeripheralDefinition, _ random: inout SplitMix64, events: Int) throws {
    var engine = try Engine(
      definition, settings: definition.settings.map(\.initial), address: Conversation.centrals[0])
    var now = Instant()
    for _ in 0..<events {
      now = now.advanced(by: .milliseconds(Int64.random(in: 0...150, using: &random)))
      let event = try random.event(for: definition)
      let outcome = engine.handle(event, at: now)
      #expect((outcome.response != nil) == event.isRequest)
      for case .startTimer(let timer, let instant) in outcome.actions where Bool.random(using: &random) {
        now = max(now, instant)
        _ = engine.handle(.timerFired(timer), at: now)
      }
    }
  }
}

extension Event {
  var isRequest: Bool {
    switch self {
    case .readRequested, .writeRequested, .intervention(.respond): true
    default: false
    }
  }
}

extension SplitMix64 {
  fileprivate mutating func event(for definition: PeripheralDefinition) throws -> Event {
    let central = Conversation.centrals.randomElement(using: &self)
    let characteristic = Int.random(in: definition.characteristics.indices, using: &self)
    switch next() % 16 {
    case 0: return .connected(central!)
    case 1: return .disconnected(central!)
    case 2: return .subscribed(nil, characteristic: characteristic)
    case 3: return .unsubscribed(central, characteristic: characteristic)
    case 4: return .readRequested(central, .characteristic(characteristic), offset: Int(next() % 600))
    case 5: return .wireReceived(try bytes(for: definition))
    default:
      let offset = next() % 8 == 0 ? Int(next() % 520) : 0
      return .writeRequested(
        next() % 8 == 0 ? nil : central, .characteristic(characteristic), value: try bytes(for: definition),
        offset: offset, .request)
    }
  }

  /// A message, part of one, or anything.
  private mutating func bytes(for definition: PeripheralDefinition) throws -> [UInt8] {
    let anything = (0..<next() % 40).map { _ in UInt8(truncatingIfNeeded: next()) }
    guard next() % 4 > 0, let message = definition.messages.randomElement(using: &self) else {
      return anything
    }
    let frame = (try? message.build(message.randomValues(using: &self))) ?? anything
    return Bool.random(using: &self) ? frame : Array(frame.prefix(Int(next() % 20)))
  }

  fileprivate mutating func changed(_ text: String) -> String {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let pool = [
      "0", "1", "2", "255", "u8", "i16be", "bytes", "text", "{xor8}", "{sum16(0)}", "/", "//", "%", "-",
      "15)", "FFE1",
      "idle:", "20ms", "A5", "notify,", "payload", "frame", "{index:", "u16le}",
    ]
    for _ in 0..<Int.random(in: 1...2, using: &self) {
      let index = words.indices.randomElement(using: &self)!
      if Bool.random(using: &self) {
        words[index] = pool.randomElement(using: &self)!
      } else {
        words[index] = words.randomElement(using: &self)!
      }
    }
    return words.joined(separator: " ")
  }
}
