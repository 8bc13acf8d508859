import Bluetooth
import Captures
import Framing
import TestSupport

@testable import Learning

/// A recording of a made-up device whose requests (FFE2) and replies (FFE1) are cut into values.
struct FragmentingDevice {
  /// How messages become values.
  enum Way: String, CaseIterable {
    case indexTotal, numberTotal, totalNumber, indexLast, nibbles, startIndexTotal, lastFlag, moreFlag, left,
      flags
    case length, wideLength, lowLength, unmarkedLength, growingLength

    func cut(_ message: [UInt8], _ size: Int) -> [[UInt8]] {
      let (low, high) = (UInt8(message.count & 255), UInt8(message.count >> 8))
      switch self {
      case .indexTotal: return FragmentingDevice.numbered(message, size) { [$0, $1] }
      case .numberTotal: return FragmentingDevice.numbered(message, size) { [$0 + 1, $1] }
      case .totalNumber: return FragmentingDevice.numbered(message, size) { [$1, $0 + 1] }
      case .indexLast: return FragmentingDevice.numbered(message, size) { [$0, $1 - 1] }
      case .nibbles: return FragmentingDevice.numbered(message, size) { [($0 + 1) << 4 | $1] }
      case .startIndexTotal: return FragmentingDevice.numbered(message, size) { [0xA5, $0, $1] }
      case .lastFlag: return FragmentingDevice.numbered(message, size) { [$0 + 1 == $1 ? $0 | 0x80 : $0] }
      case .moreFlag: return FragmentingDevice.numbered(message, size) { [$0 + 1 == $1 ? $0 : $0 | 0x80] }
      case .left: return FragmentingDevice.numbered(message, size) { [$1 - 1 - $0] }
      case .flags:
        return FragmentingDevice.numbered(message, size) { number, count in
          let (first, last): (UInt8, UInt8) = (number == 0 ? 2 : 0, number + 1 == count ? 1 : 0)
          return [first | last]
        }
      case .length: return FragmentingDevice.started(message, size, [0, low]) { $0 + 1 }
      case .wideLength: return FragmentingDevice.started(message, size, [0, high, low]) { $0 + 1 }
      case .lowLength: return FragmentingDevice.started(message, size, [0, low, high]) { $0 + 1 }
      case .unmarkedLength: return FragmentingDevice.started(message, size, [low]) { $0 }
      case .growingLength:
        let header = message.count < min(size, 32) ? [low] : [0x20 | high, low]
        return FragmentingDevice.started(message, size, header) { 0x80 | $0 & 15 }
      }
    }
  }

  private static func numbered(
    _ message: [UInt8], _ size: Int, _ header: (_ number: UInt8, _ count: UInt8) -> [UInt8]
  ) -> [[UInt8]] {
    let room = size - header(0, 1).count
    let count = (message.count + room - 1) / room
    return (0..<count).map { number in
      header(UInt8(number), UInt8(count)) + message.dropFirst(number * room).prefix(room)
    }
  }

  private static func started(
    _ message: [UInt8], _ size: Int, _ header: [UInt8], _ next: (_ number: UInt8) -> UInt8
  ) -> [[UInt8]] {
    let room = size - header.count
    let rest = Array(message.dropFirst(room))
    return [header + message.prefix(room)] + numbered(rest, size) { number, _ in [next(number)] }
  }

  /// A request and its reply: each begins with its own byte, then comes one that the reply repeats, then random bytes.
  struct Kind {
    private let request, reply: [UInt8]

    /// - Parameters:
    ///   - request: its first byte; that of the reply has the top bit, too.
    ///   - sizes: how many bytes they have after these two.
    init(_ request: UInt8, sizes: (Int, Int)) {
      self.request = [request] + FragmentingDevice.bytes(sizes.0, Int(request))
      reply = [request | 0x80] + FragmentingDevice.bytes(sizes.1, Int(request) + 1)
    }

    func request(_ token: UInt8) -> [UInt8] { [request[0], token] + request.dropFirst() }
    func reply(_ token: UInt8) -> [UInt8] { [reply[0], token] + reply.dropFirst() }
  }

  static func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(seed))
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  let kinds: [Kind]
  let way: Way?
  /// The sizes of values that the central writes, and that the device sends.
  let sizes: (written: Int, sent: Int)
  var mtu: UInt8 = 185
  private(set) var device = CapturedDevice(address: nil)
  private var connection = CapturedConnection(central: nil, start: Instant())
  private var now = Instant()

  /// - Parameter way: nil: messages are not cut.
  init(_ kinds: [Kind], sizes: (written: Int, sent: Int) = (20, 20), _ way: Way?) {
    (self.kinds, self.sizes, self.way) = (kinds, sizes, way)
  }

  func cut(_ message: [UInt8], _ size: Int) -> [[UInt8]] { way?.cut(message, size) ?? [message] }

  /// Connects, discovers the attributes, and subscribes.
  mutating func connect() {
    now = now.advanced(by: .seconds(2))
    connection = CapturedConnection(central: nil, start: now)
    add([0x02, mtu, 0], [0x03, mtu, 0])
    add([0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28], [0x11, 6, 1, 0, 0xFF, 0xFF, 0xE0, 0xFF])
    add(
      [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28],
      [0x09, 7, 2, 0, 0x0C, 3, 0, 0xE2, 0xFF, 4, 0, 0x10, 5, 0, 0xE1, 0xFF])
    add([0x08, 5, 0, 0xFF, 0xFF, 0x03, 0x28], [0x01, 0x08, 5, 0, 0x0A])
    add([0x04, 6, 0, 6, 0], [0x05, 1, 6, 0, 0x02, 0x29])
    add([0x12, 6, 0, 1, 0], [0x13])
  }

  mutating func disconnect() {
    connection.end = .init(time: now.advanced(by: .milliseconds(50)), reason: nil, by: .central)
    device.connections.append(connection)
  }

  /// A request with its reply.
  mutating func ask(_ kind: Kind, _ token: UInt8) {
    now = now.advanced(by: .milliseconds(400))
    for value in cut(kind.request(token), sizes.written) { write(value) }
    now = now.advanced(by: .milliseconds(30))
    for value in cut(kind.reply(token), sizes.sent) { send(value) }
  }

  mutating func write(_ value: [UInt8]) { add([0x12, 3, 0] + value, [0x13]) }
  mutating func send(_ value: [UInt8]) { pass([0x1B, 5, 0] + value, from: .peripheral) }
  mutating func wait(_ time: Duration) { now = now.advanced(by: time) }

  private mutating func add(_ request: [UInt8], _ response: [UInt8]) {
    pass(request, from: .central)
    pass(response, from: .peripheral)
  }

  private mutating func pass(_ bytes: [UInt8], from role: LinkRole) {
    now = now.advanced(by: .milliseconds(1))
    connection.events.append(.init(.attribute(bytes, from: role), at: now))
  }

  /// What is learnt of it.
  var lesson: Learner.Lesson {
    let learner = Learner(device)
    return learner.learn(.model, name: "fragments", origin: [], from: learner.conversations)
  }
}
