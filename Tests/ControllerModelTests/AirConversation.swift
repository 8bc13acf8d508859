import Bluetooth
import Framing
import TestSupport
import Testing

@testable import ControllerModel

/// Hosts with controllers on one air, as a transcript: the lines that happen are given, and the lines that follow from them are the
/// controllers'. `#` begins a comment, `2E*18` is a byte that comes 18 times.
///
/// What happens:
///
///     a> 01 03 0C 00        host a sends a packet, with H4's type; likewise b and c
///     100 ms, 2 s           time passes
///     a leaves, a returns   a controller is out of range, or back
///
/// What follows:
///
///     a< 04 0E 04 01 03 0C 00    the controller of host a says something
struct AirConversation {
  private(set) var air: Air
  private let controllers: [Air.ControllerID]
  private var lines: [String] = []

  static let addresses = ["0A", "0B", "0C"].map { DeviceAddress("00:00:00:00:00:\($0)")! }

  /// Three controllers whose hosts want all events.
  ///
  /// - Parameter change: makes the traits of each, by the letter.
  init(seed: UInt64 = 1, _ change: (Character, inout ControllerTraits) -> Void = { _, _ in }) {
    var air = Air(seed: seed)
    controllers = zip("abc", Self.addresses).map { name, address in
      var traits = ControllerTraits(address)
      change(name, &traits)
      let controller = air.add(traits)
      for mask in ["01 01 0C 08  FF FF FF FF FF FF FF FF", "01 01 20 08  FF FF FF FF FF FF FF FF"] {
        air.send(hex(mask), to: controller)
        _ = air.take(from: controller)
      }
      return controller
    }
    self.air = air
  }

  func mistakes(by name: Character) -> [HostMistake] { air.mistakes(by: controller(name)) }

  private func controller(_ name: Character) -> Air.ControllerID {
    controllers[Array("abc").firstIndex(of: name)!]
  }

  /// The transcript as it happens, for comparison with the one that was expected.
  mutating func play(_ transcript: String) -> String {
    lines = []
    for line in Self.lines(of: transcript) where !line.dropFirst().hasPrefix("<") {
      lines.append(line)
      perform(line)
    }
    return lines.joined(separator: "\n")
  }

  /// Plays what happens, and drops what follows.
  mutating func prepare(_ transcript: String) { _ = play(transcript) }

  /// The lines without comments, and bytes in one form.
  static func lines(of transcript: String) -> [String] {
    transcript.split(separator: "\n").compactMap { line in
      let text = line.prefix { $0 != "#" }.split(separator: " ").joined(separator: " ")
      guard text.dropFirst().hasPrefix(">") || text.dropFirst().hasPrefix("<") else {
        return text.isEmpty ? nil : text
      }
      return "\(text.prefix(2)) \(hexadecimal(bytes(text.dropFirst(2))))"
    }
  }

  private static func bytes(_ text: some StringProtocol) -> [UInt8] {
    text.split(separator: " ").flatMap { word in
      let parts = word.split(separator: "*")
      return [UInt8](repeating: UInt8(parts[0], radix: 16)!, count: parts.count > 1 ? Int(parts[1])! : 1)
    }
  }
}

// MARK: What happens

extension AirConversation {
  private mutating func perform(_ line: String) {
    let (words, name) = (line.split(separator: " "), line.first!)
    switch words.last! {
    case "ms": pass(.milliseconds(Int(words[0])!))
    case "s": pass(.seconds(Int(words[0])!))
    case "leaves": air.setInRange(controller(name), false)
    case "returns": air.setInRange(controller(name), true)
    default: air.send(Self.bytes(line.dropFirst(2)), to: controller(name))
    }
    note()
  }

  /// Passes time in steps, so that the lines are in the order of their instants.
  private mutating func pass(_ duration: Duration) {
    let end = air.now.advanced(by: duration)
    while let next = air.nextInstant, next <= end {
      air.advance(to: next)
      note()
    }
    air.advance(to: end)
  }

  private mutating func note() {
    for name in "abc" {
      lines += air.take(from: controller(name)).map { "\(name)< \(hexadecimal($0))" }
    }
  }
}

/// Holds a conversation and compares it with the one that was expected.
func expect(
  _ conversation: inout AirConversation, _ transcript: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let expected = AirConversation.lines(of: transcript).joined(separator: "\n")
  let actual = conversation.play(transcript)
  guard actual != expected else { return }
  Issue.record(
    "expected (-), but happened (+):\n\(LineDifference(from: expected, to: actual))",
    sourceLocation: sourceLocation)
}

/// Likewise, with a new conversation.
func expect(_ transcript: String, sourceLocation: SourceLocation = #_sourceLocation) {
  var conversation = AirConversation()
  expect(&conversation, transcript, sourceLocation: sourceLocation)
}
