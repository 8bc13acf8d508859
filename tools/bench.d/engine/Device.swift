import Behavior
import Bluetooth
import Definitions
import DeviceModel
import Framing

/// A device with so many rules, each for a command of its own in two bytes, with a length field and a checksum around
/// it. Each command comes whole in one write, and is answered with two bytes.
struct Device {
  /// Bytes of a command.
  let size: Int
  let rules: Int

  /// The device on the air, and the writes of its commands, one after the other.
  func start() -> (engine: Engine, writes: [Event]) {
    let loaded = DefinitionLoader.load(SourceText(name: "bench.yaml", text: text), folder: NoFiles())
    guard let definition = loaded.definition else { fatalError(loaded.report) }
    let central = DeviceAddress([0, 0, 0, 0, 0, 2])!
    let engine = try! Engine(definition, settings: [], address: DeviceAddress([0, 0, 0, 0, 0, 1])!)
    let writes = (0..<rules).map { command in
      Event.writeRequested(central, .characteristic(0), value: frame(command), offset: 0, .command)
    }
    return (engine, writes)
  }

  private func frame(_ command: Int) -> [UInt8] {
    var frame = [0xA5, UInt8(size >> 8), UInt8(size & 0xFF), UInt8(command >> 8), UInt8(command & 0xFF)]
    frame += (0..<size - 6).map { UInt8(truncatingIfNeeded: $0) }
    frame.append(frame.reduce(0, ^))
    return frame
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
    for command in 0..<rules {
      text += "  c\(command): \"A5 \(hex(size)) \(hex(command)) {data: bytes(\(size - 6))} {xor8}\"\n"
    }
    text += "rules:\n  - { on: connect, do: { log: \"{count}\" } }\n"
    for command in 0..<rules {
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
}

struct NoFiles: DefinitionFolder {
  let names: [String] = []
  func displayName(of name: String) -> String { name }
  func read(_ name: String) throws(FileError) -> String { throw FileError(message: "no file '\(name)'") }
}
