import Behavior
import DeviceModel
import Framing

/// An action of a central, the wire side or the clock on a device.
enum Stimulus: CustomStringConvertible {
  case connects(Int)
  case disconnects(Int)
  case subscribes(Int, characteristic: Int)
  case unsubscribes(Int, characteristic: Int)
  case reads(Int, AttributeReference, offset: Int)
  case writes(Int, AttributeReference, [UInt8], offset: Int)
  case wire([UInt8])
  case passes(milliseconds: Int64)

  /// The number of centrals.
  static let centralCount = 4

  var description: String {
    switch self {
    case .connects(let central): "+ \(central)"
    case .disconnects(let central): "- \(central)"
    case .subscribes(let central, let index): "s \(central) \(index)"
    case .unsubscribes(let central, let index): "u \(central) \(index)"
    case .reads(let central, let attribute, let offset): "? \(central) \(attribute) +\(offset)"
    case .writes(let central, let attribute, let bytes, let offset):
      "> \(central) \(attribute) +\(offset)  \(HexText.format(bytes))"
    case .wire(let bytes): "] \(HexText.format(bytes))"
    case .passes(let milliseconds): "t \(milliseconds) ms"
    }
  }
}

// MARK: Reading stimuli

extension FuzzInput {
  /// The most stimuli in one run.
  private static let mostStimuli = 400

  /// Reads stimuli from the rest of the input.
  ///
  /// One byte selects the kind: `+` connects, `-` disconnects, `s` subscribes, `u` unsubscribes, `?` reads, `>` writes,
  /// `]` sends bytes into the wire side, `t` lets time pass. Any other byte also selects one of these.
  mutating func stimuli(for definition: PeripheralDefinition) -> [Stimulus] {
    var stimuli: [Stimulus] = []
    while stimuli.count < Self.mostStimuli, let kind = byte() {
      stimuli.append(stimulus(of: kind, to: definition))
    }
    return stimuli
  }

  private mutating func stimulus(of kind: UInt8, to definition: PeripheralDefinition) -> Stimulus {
    switch definition.characteristics.isEmpty ? Self.kindWithoutAttributes(kind) : kind {
    case UInt8(ascii: "+"): .connects(central())
    case UInt8(ascii: "-"): .disconnects(central())
    case UInt8(ascii: "s"): .subscribes(central(), characteristic: characteristic(of: definition))
    case UInt8(ascii: "u"): .unsubscribes(central(), characteristic: characteristic(of: definition))
    case UInt8(ascii: "?"): .reads(central(), attribute(of: definition), offset: offset())
    case UInt8(ascii: "]"): .wire(value(for: definition))
    case UInt8(ascii: "t"): .passes(milliseconds: Self.durations[number(below: Self.durations.count)])
    case UInt8(ascii: ">"): write(to: definition)
    default: stimulus(of: Self.kinds[Int(kind) % Self.kinds.count], to: definition)
    }
  }

  /// Lets time pass where a device that only advertises has nothing to read or write.
  private static func kindWithoutAttributes(_ kind: UInt8) -> UInt8 {
    "su?>".utf8.contains(kind) ? UInt8(ascii: "t") : kind
  }

  /// Favours writes, which matter most.
  private static let kinds = Array("+s>>]t>?>t>u]t-".utf8)

  private static let durations: [Int64] = [
    0, 1, 9, 10, 50, 100, 200, 500, 1000, 2500, 10_000, 60_000, 600_000, 3_600_000, 86_400_000,
    30 * 86_400_000,
  ]

  private mutating func central() -> Int { number(below: Stimulus.centralCount) }

  private mutating func characteristic(of definition: PeripheralDefinition) -> Int {
    number(below: definition.characteristics.count)
  }

  /// A characteristic; after `d`, one of its descriptors.
  private mutating func attribute(of definition: PeripheralDefinition) -> AttributeReference {
    let choice = byte() ?? 0
    guard choice == UInt8(ascii: "d") else {
      return .characteristic(Int(choice &- UInt8(ascii: "0")) % definition.characteristics.count)
    }
    let index = characteristic(of: definition)
    let descriptors = definition.characteristics[index].descriptors
    return descriptors.isEmpty
      ? .characteristic(index) : .descriptor(number(below: descriptors.count), of: index)
  }

  private mutating func offset() -> Int { Self.offsets[number(below: Self.offsets.count)] }

  private static let offsets = [0, 0, 0, 1, 2, 20, 22, 511, 512, 513, 65_535]

  private mutating func write(to definition: PeripheralDefinition) -> Stimulus {
    .writes(central(), attribute(of: definition), value(for: definition), offset: offset())
  }
}

// MARK: Values

extension FuzzInput {
  /// Reads a value: `x` with a count and bytes, `m` a message of the definition, `c` a truncated message, `b` a message
  /// with a changed byte, `2` two values together, `l` a long value.
  mutating func value(for definition: PeripheralDefinition, depth: Int = 0) -> [UInt8] {
    switch byte() {
    case UInt8(ascii: "m"): return message(of: definition)
    case UInt8(ascii: "c"):
      let frame = message(of: definition)
      return Array(frame.prefix(number(below: frame.count + 1)))
    case UInt8(ascii: "b"):
      var frame = message(of: definition)
      guard !frame.isEmpty else { return frame }
      frame[number(below: frame.count)] ^= byte() ?? 1
      return frame
    case UInt8(ascii: "2") where depth < 4:
      return value(for: definition, depth: depth + 1) + value(for: definition, depth: depth + 1)
    case UInt8(ascii: "l"):
      return Array(repeating: byte() ?? 0, count: [100, 244, 509, 512, 600][number(below: 5)])
    case UInt8(ascii: "x"): return bytes(number(below: 64))
    case let other?: return other % 2 == 0 ? message(of: definition) : bytes(Int(other) % 64)
    case nil: return []
    }
  }

  private mutating func message(of definition: PeripheralDefinition) -> [UInt8] {
    guard let message = element(of: definition.messages) else { return bytes(number(below: 64)) }
    return (try? message.build(message.randomValues(using: &self))) ?? []
  }
}
