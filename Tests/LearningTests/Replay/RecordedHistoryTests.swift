import Bluetooth
import Framing
import Testing

@testable import Learning

/// What a device that answers as recorded does when a connection is like one of several recorded ones.
struct RecordedHistoryTests {
  /// The light is on after `01 01`, off after `01 00`; `02` asks for it.
  private let light = RecordedLines(
    """
    0 connect
    10 subscribe
    100 > 01 01
    200 > 02
    220 < 82 01
    1000 connect
    1010 subscribe
    1100 > 01 00
    1200 > 02
    1220 < 82 00
    """)

  @Test func `an answer is that after the same requests`() throws {
    var memory = try MemoryDevice(light.definition)
    #expect(memory.subscribe() == [])
    #expect(memory.write("01 00") == [])
    #expect(memory.write("02") == [])
    #expect(memory.wait(50) == ["20 82 00"])
    _ = memory.disconnect()
    _ = memory.connect()
    _ = memory.subscribe()
    _ = memory.write("01 01")
    _ = memory.write("02")
    #expect(memory.wait(50) == ["20 82 01"])
  }

  @Test func `a connection that is unlike all recorded ones gets one answer after the other`() throws {
    var memory = try MemoryDevice(light.definition)
    _ = memory.subscribe()
    _ = memory.write("02")
    #expect(memory.wait(50) == ["20 82 01"])
    _ = memory.write("02")
    #expect(memory.wait(50) == ["20 82 00"])
    _ = memory.write("02")
    #expect(memory.wait(50) == ["20 82 01"])
  }

  @Test func `a request that was never recorded counts as the one that it is answered like`() throws {
    var memory = try MemoryDevice(light.definition)
    _ = memory.subscribe()
    _ = memory.write("02")
    _ = memory.wait(50)
    _ = memory.disconnect()
    _ = memory.connect()
    _ = memory.subscribe()
    _ = memory.write("01 7F")
    _ = memory.write("02")
    #expect(memory.wait(50) == ["20 82 01"])
  }

  @Test func `the next recorded request cuts what the one before has begun`() throws {
    let device = RecordedLines(
      """
      0 connect
      10 subscribe
      110 < A1
      210 < A2
      310 < A3
      1000 connect
      1010 subscribe
      1110 < A1
      1150 > 05
      1160 < 85
      2000 connect
      2010 subscribe
      """)
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    #expect(memory.wait(350) == ["100 A1", "200 A2", "300 A3"])
    _ = memory.disconnect()
    _ = memory.connect()
    _ = memory.subscribe()
    #expect(memory.wait(140) == ["100 A1"])
    _ = memory.write("05")
    #expect(memory.wait(400) == ["10 85"])
  }

  @Test func `the device refuses before a subscription, and where it refused in the recording`() throws {
    let device = RecordedLines(
      """
      0 connect
      10 ! 01
      20 subscribe
      30 > 01
      40 < 81
      50 > 02
      1000 connect
      1010 subscribe
      1020 > 01
      1030 < 81
      1040 > 03
      1050 ! 02
      """)
    var memory = try MemoryDevice(device.definition)
    #expect(memory.write("01") == ["refused: application-error-80"])
    #expect(memory.write("77") == ["refused: application-error-80"])
    _ = memory.subscribe()
    _ = memory.write("01")
    #expect(memory.wait(50) == ["10 81"])
    #expect(memory.write("03") == [])
    #expect(memory.write("02") == ["refused: application-error-80"])
    _ = memory.disconnect()
    _ = memory.connect()
    _ = memory.subscribe()
    _ = memory.write("01")
    #expect(memory.write("02") == [])
  }

  @Test func `no rule is about an attribute that blemu serves itself`() {
    var features = ObservedTable.Characteristic(.init(0x2B29, isLong: false))
    (features.handle, features.valueHandle, features.properties) = (2, 3, [.read, .write])
    var service = ObservedTable.Service(.init(0x1801, isLong: false))
    (service.handle, service.characteristics) = (1, [features])
    var table = ObservedTable()
    table.services = [service]
    var conversation = Conversation(start: Instant())
    let refusal = Exchange.Kind.write([0], .reliable, .refused(.invalidAttributeValueLength))
    conversation.exchanges = [Exchange(refusal, handle: 3, at: .milliseconds(10))]
    var definition = LearntDefinition(name: "Own", summary: "")
    definition.addServices(table)
    definition.addRecordedAnswers(of: [conversation], table)
    #expect(definition.device.rules.isEmpty)
  }
}

/// Conversations with the device of ``SpokenDevice``, from lines such as
///
///     0 connect
///     20 subscribe
///     100 > 01 07      the central writes, at 100 ms
///     110 ! 01 08      the device refuses to let it
///     130 < 81 07      the device sends a value
struct RecordedLines {
  private var conversations: [Conversation] = []

  init(_ lines: String) {
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ")
      let (time, bytes) = (
        Instant.milliseconds(Int64(words[0])!), words.dropFirst(2).map { UInt8($0, radix: 16)! }
      )
      let (value, configuration) = (SpokenDevice.handle, SpokenDevice.handle + 1)
      switch words[1] {
      case "connect": conversations.append(Conversation(start: time))
      case "subscribe": add(.write([1, 0], .request, .success(nil)), configuration, time)
      case ">": add(.write(bytes, .request, .success(nil)), value, time)
      case "!": add(.write(bytes, .request, .refused(ATTError(rawValue: 0x80))), value, time)
      case "subscribe!":
        add(.write([1, 0], .request, .refused(ATTError(rawValue: bytes[0]))), configuration, time)
      case "=": add(.read(.success(bytes)), value, time)
      case "=!": add(.read(.refused(ATTError(rawValue: bytes[0]))), value, time)
      default: add(.value(bytes, .notification), value, time)
      }
    }
  }

  private mutating func add(_ kind: Exchange.Kind, _ handle: AttributeHandle, _ time: Instant) {
    conversations[conversations.count - 1].exchanges.append(Exchange(kind, handle: handle, at: time))
  }

  var definition: LearntDefinition {
    var definition = LearntDefinition(name: "Spoken", summary: "")
    var table = SpokenDevice("", [:]).table
    if conversations.contains(where: {
      $0.exchanges.contains { if case .read = $0.kind { true } else { false } }
    }) {
      table.services[0].characteristics[0].properties?.insert(.read)
    }
    definition.addServices(table)
    definition.addRecordedAnswers(of: conversations, table)
    return definition
  }
}
