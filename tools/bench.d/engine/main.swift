import Behavior
import Bluetooth
import Definitions
import DeviceModel
import Framing
import Glibc

/// Measures what the engine takes for a frame: from the bytes of a write to the actions that follow.
///
/// A device has so many rules, each for a command of its own in two bytes, with a length field and a checksum around
/// it; the commands come one after the other, each whole in one write, and are answered with two bytes.

struct Device {
  let size: Int
  let commands: Int

  var definition: PeripheralDefinition {
    let source = SourceText(name: "bench.yaml", text: text)
    let loaded = DefinitionLoader.load(source, folder: NoFiles())
    guard let definition = loaded.definition else { fatalError(loaded.report) }
    return definition
  }

  private var text: String {
    var text = """
      blemu: 1
      name: Benchmark
      services:
        - { uuid: FFE0, characteristics: [{ id: io, uuid: FFE1, properties: [write, notify] }] }
      framing:
        io: { start: A5, length: { at: 1, width: 2, counts: frame }, check: xor8 }
      variables: { count: { type: integer, default: 0 } }
      messages:
        answer: "5A {first: u8}"

      """
    for command in 0..<commands {
      text += "  c\(command): \"A5 \(hex(size)) \(hex(command)) {data: bytes(\(size - 6))} {xor8}\"\n"
    }
    text += "rules:\n  - { on: connect, do: { log: \"{count}\" } }\n"
    for command in 0..<commands {
      text += """
          - on: { receive: c\(command) }
            do: [{ set: { count: count + 1 } }, { send: answer, with: { first: \"data[0]\" } }]

        """
    }
    return text
  }

  private func hex(_ number: Int) -> String {
    HexText.format([UInt8(number >> 8), UInt8(number & 0xFF)])
  }

  func frame(_ command: Int) -> [UInt8] {
    var frame = [0xA5, UInt8(size >> 8), UInt8(size & 0xFF), UInt8(command >> 8), UInt8(command & 0xFF)]
    frame += (0..<size - 6).map { UInt8(truncatingIfNeeded: $0) }
    frame.append(frame.reduce(0, ^))
    return frame
  }
}

struct NoFiles: DefinitionFolder {
  func displayName(of name: String) -> String { name }
  func read(_ name: String) throws(FileError) -> String { throw FileError(message: "no file '\(name)'") }
}

/// An engine and the writes that it is given.
struct Run {
  var engine: Engine
  let events: [Event]

  init(size: Int, commands: Int) {
    let device = Device(size: size, commands: commands)
    let central = DeviceAddress([0, 0, 0, 0, 0, 2])!
    engine = try! Engine(device.definition, settings: [], address: DeviceAddress([0, 0, 0, 0, 0, 1])!)
    events = (0..<commands).map { command in
      .writeRequested(central, .characteristic(0), value: device.frame(command), offset: 0, .command)
    }
  }

  /// Nanoseconds for a frame.
  mutating func measure(frames: Int) -> Double {
    var answers = 0
    let duration = ContinuousClock().measure {
      for frame in 0..<frames {
        answers += engine.handle(events[frame % events.count], at: .milliseconds(Int64(frame))).actions.count
      }
    }
    guard answers == frames else { fatalError("\(frames) frames, \(answers) answers") }
    return duration / .nanoseconds(frames)
  }
}

func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

func padded(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

let times = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9
let limit = 1.5
var isWithinLimit = true
print("bytes   10 rules   1000 rules   ratio   (nanoseconds for a frame, median of \(times))")
for size in [20, 100, 500] {
  var few = Run(size: size, commands: 10)
  var many = Run(size: size, commands: 1000)
  _ = (few.measure(frames: 5000), many.measure(frames: 5000))
  // In turn, so that what else the machine does falls on both.
  let pairs = (0..<times).map { _ in (few.measure(frames: 20_000), many.measure(frames: 20_000)) }
  let (a, b) = (median(pairs.map(\.0)), median(pairs.map(\.1)))
  let hundredths = Int((b / a * 100).rounded())
  let ratio = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  print(padded("\(size)", 5), padded("\(Int(a))", 10), padded("\(Int(b))", 12), padded(ratio, 7))
  if b > a * limit { isWithinLimit = false }
}
if !isWithinLimit {
  print("1000 rules take more than \(limit) times as long as 10")
  exit(1)
}
