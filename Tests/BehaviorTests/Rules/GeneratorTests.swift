import Definitions
import DeviceModel
import Framing
import TestSupport
import Testing

@testable import Behavior

/// Values that change by themselves.
@Suite struct GeneratorTests {
  /// What a generator gives at these times, in milliseconds since the start.
  static func values(
    _ generator: String, at times: [Int64], seed: UInt64 = 0, data: String = ""
  ) throws -> [Value] {
    let device = definition(
      """
      generators: { x: \(generator) }
      \(data)
      services:
        - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }
      """)
    var engine = try Engine(
      device, settings: [], address: Conversation.centrals[0], options: EngineOptions(seed: seed))
    _ = engine.handle(.started, at: Instant())
    return times.map { time in
      _ = engine.handle(.wireReceived([]), at: .milliseconds(time))
      return engine.context.generators[0]
    }
  }

  static func numbers(_ values: [Value]) -> [Double] {
    values.map { value in
      switch value {
      case .integer(let number): Double(number)
      case .decimal(let number): number
      default: .nan
      }
    }
  }

  @Test func `a sine swings around the middle`() throws {
    let times: [Int64] = [0, 1000, 2000, 3000, 4000, 5000, 15_000]
    #expect(
      try Self.values("{ shape: sine, min: 62, max: 78, period: 4s }", at: times)
        == [70, 78, 70, 62, 70, 78, 62].map(Value.integer))
  }

  @Test func `a ramp goes from one number to the other and begins anew`() throws {
    let times: [Int64] = [0, 250, 500, 999, 1000, 1500]
    #expect(
      try Self.values("{ shape: ramp, from: 100, to: 0, over: 1s }", at: times)
        == [100, 75, 50, 0, 100, 50].map(Value.integer))
    #expect(
      try Self.values("{ shape: ramp, from: -1, to: 1.0, over: 1s }", at: times)
        == [-1, -0.5, 0, 0.998, -1, 0].map(Value.decimal))
  }

  @Test(arguments: [0, 1, 99] as [UInt64])
  func `a random walk starts in the middle, stays within its limits and its step`(seed: UInt64) throws {
    let times = (0..<5000).map { Int64($0) * 1000 }
    let values = Self.numbers(
      try Self.values(
        "{ shape: random-walk, min: 18.0, max: 26.0, step: 0.5, every: 1s }", at: times, seed: seed))
    #expect(values[0] == 22)
    #expect(values.allSatisfy { (18...26).contains($0) })
    #expect(zip(values, values.dropFirst()).allSatisfy { abs($0 - $1) <= 0.5 })
    #expect(values.min()! < 18.5 && values.max()! > 25.5)
  }

  @Test func `a walk of steps wider than its limits stays inside`() throws {
    let times = (0..<500).map { Int64($0) }
    let values = Self.numbers(
      try Self.values("{ shape: random-walk, min: 1, max: 2, step: 100, every: 1ms }", at: times))
    #expect(values.allSatisfy { (1...2).contains($0) })
    #expect(Set(values) == [1, 2])
  }

  @Test func `random numbers are all there, each for its time`() throws {
    let times = (0..<3000).map { Int64($0) * 500 }
    let values = Self.numbers(
      try Self.values("{ shape: random, min: 3, max: 9, every: 1s }", at: times))
    #expect(Set(values) == [3, 4, 5, 6, 7, 8, 9])
    #expect(stride(from: 0, to: 3000, by: 2).allSatisfy { values[$0] == values[$0 + 1] })
    let decimals = Self.numbers(
      try Self.values("{ shape: random, min: -0.5, max: 0.5, every: 500ms }", at: times))
    #expect(decimals.allSatisfy { (-0.5...0.5).contains($0) })
    #expect(Set(decimals).count == 3000)
  }

  @Test func `one number is a range, too`() throws {
    #expect(
      try Self.values("{ shape: random, min: 5, max: 5, every: 1s }", at: [0, 9000]) == [
        .integer(5), .integer(5),
      ])
    #expect(
      try Self.values("{ shape: sine, min: 5, max: 5, period: 1s }", at: [0, 250]) == [
        .integer(5), .integer(5),
      ])
  }

  @Test(
    arguments: [
      "{ shape: random-walk, min: 0, max: 1000000, step: 5000, every: 10ms }",
      "{ shape: random, min: 0, max: 1000000, every: 10ms }",
    ])
  func `the same seed gives the same, however often one looks; another seed does not`(generator: String)
    throws
  {
    let often = try Self.values(generator, at: (0...100).map { Int64($0) * 10 }, seed: 5)
    let rarely = try Self.values(generator, at: [500, 1000], seed: 5)
    #expect(rarely == [often[50], often[100]])
    let other = try Self.values(generator, at: [500, 1000], seed: 6)
    #expect(other[0] != rarely[0] && other[1] != rarely[1])
  }

  @Test func `a long silence is no long wait`() throws {
    let generator = "{ shape: random-walk, min: 0, max: 9, step: 1, every: 1ms }"
    let values = Self.numbers(try Self.values(generator, at: [0, 365 * 86_400_000]))
    #expect(values.allSatisfy { (0...9).contains($0) })
  }

  @Test(
    arguments: [
      ("{ shape: sine, min: 1, max: 2, period: 1s }", ValueType.integer),
      ("{ shape: sine, min: 1.0, max: 2, period: 1s }", .decimal),
      ("{ shape: ramp, from: 0, to: 0x10, over: 1s }", .integer),
      ("{ shape: ramp, from: 0, to: 1e1, over: 1s }", .decimal),
      ("{ shape: random-walk, min: 0, max: 1, step: 1, every: 1s }", .integer),
      ("{ shape: random-walk, min: 0, max: 1, step: 0.5, every: 1s }", .decimal),
      ("{ shape: random, min: -1, max: 1, every: 1.5s }", .integer),
    ])
  func `whole numbers give whole numbers`(generator: String, type: ValueType) throws {
    #expect(try Self.values(generator, at: [700]).map(\.type) == [type])
  }

  @Test func `a table is replayed round and round`() throws {
    let device = try define(
      """
      blemu: 1
      name: Device
      data:
        ecg: { file: ecg.csv, columns: { at: integer, note: text }, key: [at] }
      generators:
        n: { shape: replay, table: ecg, column: at, every: 10ms }
        note: { shape: replay, table: ecg, column: note, every: 25ms }
      rules:
        - { on: connect, do: { log: "{n} {note}" } }
      services:
        - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }
      """, files: ["ecg.csv": "at,note\n5,five\n3,three\n9,nine\n"])
    var conversation = try Conversation(device)
    let transcript = """
      start
      +
      * 5 five
      -
      10 ms
      +
      * 3 five
      -
      15 ms
      +
      * 9 three
      -
      5 ms
      +
      * 5 three
      """
    #expect(conversation.play(transcript) == transcript)
  }

  @Test func `initial attribute values and the first advertisement use the first generator values`() throws {
    var conversation = try Conversation(
      definition(
        """
        generators: { level: { shape: ramp, from: 100, to: 0, over: 100s } }
        advertisement: { local-name: "Belt {level}" }
        messages: { level: "{level: u8}" }
        rules:
          - { on: { read: data }, if: uptime > 0, do: { respond: level } }
          - { on: { receive: any }, do: { advertise: true } }
        services:
          - uuid: FFE0
            characteristics:
              - { id: data, uuid: FFE1, properties: [read, write], value: "FF {level: u8}" }
        """))
    #expect(try conversation.engine.advertisement().localName == "Belt 100")
    let transcript = """
      ? data
      = FF 64
      start
      ? data
      = FF 64
      50000 ms
      ? data
      = 32
      > data 07
      advertises Belt 50
      """
    #expect(conversation.play(transcript) == transcript)
  }
}
