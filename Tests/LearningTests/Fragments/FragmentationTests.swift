import Framing
import TestSupport
import Testing

@testable import Learning

@Suite struct FragmentationTests {
  private typealias Kind = FragmentingDevice.Kind
  typealias Way = FragmentingDevice.Way

  private static let kinds = [
    Kind(0x10, sizes: (29, 2)), Kind(0x20, sizes: (1, 49)), Kind(0x30, sizes: (47, 61)),
    Kind(0x40, sizes: (0, 1)),
  ]

  /// Requests of all kinds, in two connections.
  private static func recording(of kinds: [Kind], way: Way, sizes: (Int, Int) = (20, 20)) -> FragmentingDevice
  {
    var device = FragmentingDevice(kinds, sizes: sizes, way)
    for connection in 0..<2 {
      device.connect()
      for number in 0..<10 {
        device.ask(kinds[number % kinds.count], UInt8((number * 29 + connection * 101) % 256))
      }
      device.disconnect()
    }
    return device
  }

  /// The device answers each kind of request with a byte that was never recorded.
  private func expectAnswers(_ recorded: FragmentingDevice, _ lesson: Learner.Lesson, _ comment: String)
    throws
  {
    var device = try MemoryDevice(lesson.definition)
    _ = device.subscribe()
    for (number, kind) in recorded.kinds.enumerated() {
      let token = UInt8(200 + number)
      var sent: [String] = []
      for value in recorded.cut(kind.request(token), recorded.sizes.written) {
        sent += device.ask(HexText.format(value), to: "FFE2")
      }
      #expect(
        sent == recorded.cut(kind.reply(token), recorded.sizes.sent).map { HexText.format($0) }, "\(comment)")
    }
  }

  @Test(arguments: Way.allCases)
  func `fragments become a layer`(way: Way) throws {
    let recorded = Self.recording(of: Self.kinds, way: way)
    let (name, lesson) = (way.rawValue, recorded.lesson)
    #expect(lesson.fragmentations.count == 2, "\(name)")
    #expect(lesson.definition.device.layers.map(\.name) == ["message"], "\(name)")
    try expectAnswers(recorded, lesson, name)
  }

  /// Random messages, in values of random sizes.
  @Test func `random messages come as they were recorded`() throws {
    var random = SplitMix64(seed: 7)
    for round in 0..<10 {
      let way = Way.allCases.randomElement(using: &random)!
      let (requests, replies) = (
        [30...80, 1...100, 1...100, 1...100], [1...120, 70...90, 95...120, 1...120]
      )
      let kinds = (0..<4).map { number in
        Kind(
          UInt8(0x10 + number),
          sizes: (
            Int.random(in: requests[number], using: &random), Int.random(in: replies[number], using: &random)
          ))
      }
      let sizes = (Int.random(in: 20...24, using: &random), Int.random(in: 20...60, using: &random))
      let recorded = Self.recording(of: kinds, way: way, sizes: sizes)
      let (name, lesson) = ("round \(round): \(way), \(sizes)", recorded.lesson)
      #expect(lesson.fragmentations.filter(\.isOfDevice).count == 1, "\(name)")
      try expectAnswers(recorded, lesson, name)
    }
  }

  @Test func `values that fill the link do so on each`() throws {
    var device = FragmentingDevice(Self.kinds, sizes: (20, 47), .numberTotal)
    device.mtu = 50
    device.connect()
    for number in 0..<12 { device.ask(Self.kinds[number % 4], UInt8(number * 7)) }
    device.disconnect()
    let sent = device.lesson.fragmentations.first { $0.isOfDevice }
    #expect(sent?.size == .ofLink)
  }

  @Test func `a message is not complete at the end of a link`() throws {
    var device = Self.recording(of: Self.kinds, way: .numberTotal)
    device.connect()
    device.write(device.cut(Self.kinds[0].request(9), 20)[0])
    device.disconnect()
    let learner = Learner(device.device)
    let fragmentations = [Fragmentation](of: learner.conversations, learner.table)
    #expect(fragmentations.count == 2)
    let joined = learner.conversations.joined(by: fragmentations)
    #expect(joined[2].exchanges.count == learner.conversations[2].exchanges.count - 1)
  }

  /// Values of a device that does not cut its messages.
  ///
  /// - Parameter isAsked: whether each answers a request.
  private static func values(
    _ values: [[UInt8]], isAsked: Bool = false, apart time: Duration = .milliseconds(20)
  ) -> FragmentingDevice {
    var device = FragmentingDevice([], nil)
    device.connect()
    for value in values {
      if isAsked { device.write([0x01, value[0]]) }
      device.send(value)
      device.wait(time)
    }
    device.disconnect()
    return device
  }

  enum Whole: String, CaseIterable {
    case random, sizes, counter, shortCounter, counterAndKind, countdown, twoKinds, length, same

    func value(_ number: Int) -> [UInt8] {
      let (byte, rest) = (UInt8(number & 255), FragmentingDevice.bytes(19, number + 1))
      switch self {
      case .random: return rest
      case .sizes: return Array(rest.prefix(number % 19 + 1))
      case .counter: return [byte] + rest
      case .shortCounter: return [byte % 4] + rest
      case .counterAndKind: return [byte, 2] + rest
      case .countdown: return [99 - UInt8(number % 70)] + rest
      case .twoKinds: return [byte % 2] + rest
      case .length: return [byte % 15 + 1] + rest.prefix(Int(byte % 15 + 1))
      case .same: return [0, 1, 2]
      }
    }
  }

  @Test(arguments: Whole.allCases)
  func `whole values stay whole`(kind: Whole) {
    for isAsked in [false, true] {
      let lesson = Self.values((0..<72).map(kind.value), isAsked: isAsked).lesson
      #expect(lesson.fragmentations.isEmpty, "\(kind)")
      #expect(lesson.definition.device.layers.isEmpty, "\(kind)")
    }
  }

  /// 20 messages of 50 bytes, in values of this size.
  private static func fragments(of size: Int) -> [[UInt8]] {
    (1...20).flatMap { Way.numberTotal.cut(FragmentingDevice.bytes(50, $0), size) }
  }

  @Test func `parts of a message come at once`() {
    let values = Self.fragments(of: 20)
    #expect(!Self.values(values).lesson.fragmentations.isEmpty)
    #expect(Self.values(values, apart: .seconds(5)).lesson.fragmentations.isEmpty)
    #expect(Self.values(values, isAsked: true).lesson.fragmentations.isEmpty)
  }

  @Test func `values with a checksum are messages`() {
    let values = Self.fragments(of: 19).map { value in value + [value.reduce(0) { $0 &+ $1 }] }
    #expect(Self.values(values).lesson.fragmentations.isEmpty)
  }
}
