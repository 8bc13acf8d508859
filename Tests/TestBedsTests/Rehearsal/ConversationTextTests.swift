import Bluetooth
import Captures
import Framing
import Learning
import TestSupport
import Testing

@testable import TestBeds

/// Recorded conversations in the words of transcripts.
@Suite struct ConversationTextTests {
  private static let definition = """
    blemu: 1
    name: Lock
    services:
      - uuid: FFE0
        characteristics:
          - { uuid: FFE1, properties: [read, write, write-without-response, notify] }
          - { uuid: FFE2, properties: [read], permissions: [encrypt-read] }
          - { uuid: FFE3, properties: [indicate] }
    """

  /// With one more characteristic than the definition, FFE4.
  private static let table: ObservedTable = {
    var service = ObservedTable.Service(.init(0xFFE0, isLong: false))
    service.characteristics = [
      (0xFFE1 as BluetoothUUID, 0x10 as AttributeHandle), (0xFFE2, 0x20), (0xFFE3, 0x30), (0xFFE4, 0x40),
    ].map {
      uuid, handle in
      var characteristic = ObservedTable.Characteristic(.init(uuid, isLong: false))
      characteristic.valueHandle = handle
      var configuration = ObservedTable.Descriptor(0x2902)
      configuration.handle = handle + 1
      characteristic.descriptors = [configuration]
      return characteristic
    }
    var table = ObservedTable()
    table.services = [service]
    return table
  }()

  /// - Parameter exchanges: with their times in milliseconds.
  private func text(
    _ exchanges: [(Int64, AttributeHandle, Exchange.Kind)], mtu: Int = 23, upTo limit: Int = 10_000,
    of definition: String = definition, change: (inout Conversation) -> Void = { _ in }
  ) throws -> String {
    var conversation = Conversation(start: Instant())
    conversation.exchanges = exchanges.map { Exchange($2, handle: $1, at: .milliseconds($0)) }
    change(&conversation)
    var text = ConversationText(of: Self.table, for: try define(definition))
    text.write(conversation, mtu: mtu, upTo: limit)
    return text.lines.joined(separator: "\n")
  }

  @Test func `requests, responses and values have lines, and waits between them`() throws {
    let text = try text(
      [
        (30, 0x11, .write([1, 0], .request, .success(nil))),
        (100, 0x10, .write([0xA5, 0x01], .request, .success(nil))),
        (140, 0x10, .value([0xA5, 0x81], .notification)),
        (150, 0x10, .write([0xA5, 0x02], .command, .unknown)),
        (9000, 0x10, .value([0xA5, 0x82], .notification)),
        (9500, 0x10, .write([0xFF], .request, .refused(.valueNotAllowed))),
        (9600, 0x31, .write([2, 0], .request, .success(nil))),
        (9610, 0x30, .value([7], .indication)),
        (9650, 0x11, .write([0, 0], .request, .success(nil))),
        (9660, 0x10, .read(.success([1, 2]))),
        (9670, 0x10, .read(.success([2]))),
      ], mtu: 185)
    #expect(
      text == """
        connect mtu=185
        +30ms
        subscribe FFE1
        +70ms
        > FFE1  A5 01
        < FFE1  A5 81
        >! FFE1  A5 02
        < FFE1  A5 82  within 12s
        +500ms
        > FFE1  FF
        ! value-not-allowed
        +100ms
        subscribe FFE3
        < FFE3  07
        +40ms
        unsubscribe FFE1
        read FFE1
        = 01 02
        +20ms
        read FFE1
        = 02
        disconnect
        """)
  }

  @Test func `what a transcript cannot say is a comment`() throws {
    let text = try text([
      (10, 0x41, .write([1, 0], .request, .success(nil))), (20, 0x40, .value([1], .notification)),
      (30, 0x55, .write([1], .request, .success(nil))), (40, 0x10, .read(.unknown)),
      (50, 0x11, .write([0, 0], .request, .success(nil))), (60, 0x10, .value([2], .notification)),
    ])
    #expect(
      text == """
        connect
        # > FFE4/2902  01 00
        # < FFE4  01
        # > 0x0055  01
        +40ms
        read FFE1
        # The recording has no response.
        unsubscribe FFE1
        # < FFE1  02
        disconnect
        """)
  }

  /// What the definition computes is not expected: the checksum and the time. The last value has a wrong checksum, and the message
  /// of the last request is one that the device sends.
  @Test func `messages stand for the bytes that they explain`() throws {
    let messages = """

      messages:
        ask: "A5 {kind: u8} {sum8}"
        poll: "A5 01"
        state: "5A {kind: u8} {level: u16le} {time: u16le} {sum8}"
        done: "5A FF"
      rules:
        - { on: { receive: ask }, do: { send: state, with: { level: 500, time: uptime % 65536 }, to: FFE1 } }
        - { on: { receive: poll }, do: { send: done, to: FFE1 } }
      """
    let text = try text(
      [
        (10, 0x11, .write([1, 0], .request, .success(nil))),
        (15, 0x10, .write([0xA5, 0x02, 0xA7], .request, .success(nil))),
        (16, 0x10, .value([0x5A, 0x02, 0xF4, 0x01, 0x09, 0x00, 0x5A], .notification)),
        (17, 0x10, .write([0xA5, 0x01], .request, .success(nil))),
        (18, 0x10, .value([0x5A, 0xFF], .notification)),
        (18, 0x10, .value([0x5A, 0x02, 0xF4, 0x01, 0x09, 0x00, 0x00], .notification)),
        (19, 0x10, .write([0x5A, 0xFF], .request, .success(nil))),
        (19, 0x10, .read(.success([0x5A, 0xFF]))),
      ], of: Self.definition + messages)
    #expect(
      text == """
        connect
        subscribe FFE1
        > FFE1  ask kind=2
        < FFE1  state kind=2
        > FFE1  poll
        < FFE1  done
        < FFE1  5A 02 F4 01 09 00 00
        > FFE1  5A FF
        read FFE1
        = done
        disconnect
        """)
  }

  @Test func `a subscription and a pairing from before the recording come first`() throws {
    let text = try text([
      (10, 0x10, .value([1], .notification)), (20, 0x20, .read(.success([7]))),
    ]) { $0.start = nil }
    #expect(
      text == """
        connect
        subscribe FFE1  # not in the recording
        < FFE1  01
        pair  # not in the recording
        read FFE2
        = 07
        disconnect
        """)
  }

  @Test func `the central pairs when the link was encrypted, and the device may end it`() throws {
    let refused = Exchange.Kind.read(.refused(.insufficientAuthentication))
    let text = try text([(20, 0x20, refused), (20, 0x20, .read(.success([7])))]) {
      $0.encrypted = .milliseconds(20)
      $0.end = .init(time: .milliseconds(30_020), reason: nil, by: .peripheral)
    }
    #expect(
      text == """
        connect
        +20ms
        read FFE2
        ! insufficient-authentication
        pair
        read FFE2
        = 07
        disconnected  within 38s
        """)
  }

  @Test func `a long conversation is cut between two exchanges`() throws {
    let values = (0..<20).map {
      (Int64($0), AttributeHandle(0x10), Exchange.Kind.value([UInt8($0)], .notification))
    }
    let text = try text(values, upTo: 48) {
      $0.end = .init(time: .milliseconds(500), reason: nil, by: .peripheral)
    }
    #expect(
      text == """
        connect
        subscribe FFE1  # not in the recording
        < FFE1  00
        # The recording goes on: 19 more reads, writes and values.
        disconnect
        """)
  }
}
