import Bluetooth
import DeviceModel
import TestSupport
import Testing

@testable import AttributeServer

/// Values that go to a central together (Vol 3 Part F 3.4.7.4). The transcripts of `Tests/Specification` have further rules.
@Suite struct NotifyingTests {
  /// 000B and 000E notify, 0011 notifies and indicates; their 2902 follow. The wire side says what they send.
  private static let multiple = definition(in: "multiple.yaml")
  /// The index of the characteristic at 000B.
  private static let first = 3
  /// Its central has written the feature, and has subscribed to 000B and 000E.
  private static let takesThem = """
    > 12 08 00 04
    < 13
    > 12 0C 00 01 00
    < 13
    > 12 0F 00 01 00
    < 13

    """

  private static func definition(in file: String) -> PeripheralDefinition {
    let text = Repository.bytes(ofFile: "\(Repository.path)Tests/Specification/\(file)")!
    return try! define(String(decoding: text, as: UTF8.self))
  }

  @Test func `each central gets values as it has said`() throws {
    try expect(
      Self.multiple,
      Self.takesThem + """
        2> 12 0C 00 01 00
        2< 13
        2> 12 0F 00 01 00
        2< 13
        ] 02 01 41 42
        2< 1B 0B 00 41
        2< 1B 0E 00 42
        < 23 0B 00 01 00 41 0E 00 01 00 42
        """)
  }

  @Test func `without the key, the feature has no effect`() throws {
    var plain = Self.multiple
    plain.link.multipleNotifications = false
    try expect(plain, Self.takesThem + "] 02 01 41 42\n< 1B 0B 00 41\n< 1B 0E 00 42")
  }

  /// Three values of so many bytes, of which a PDU of 23 bytes has room for 22 with 4 for each.
  @Test(arguments: [
    ([3, 3, 4], [[3, 3, 4]]), ([3, 3, 5], [[3, 3], [5]]), ([7, 7, 1], [[7, 7], [1]]),
    ([7, 8, 6], [[7], [8, 6]]), ([8, 8, 8], [[8], [8], [8]]), ([19, 20, 1], [[19], [20], [1]]),
  ])
  func `as many go together as fit`(counts: [Int], pdus: [[Int]]) {
    var server = AttributeServer(of: Self.multiple)
    _ = server.actions(after: [0x12, 0x08, 0x00, 0x04])
    var sent: [JoinedValues?] = []
    for (index, count) in counts.enumerated() {
      sent.append(server.join(value(count), from: Self.first + index))
    }
    sent.append(server.takeJoinedValues())
    #expect(server.takeJoinedValues() == nil)
    var rest = Array(zip([0x0B, 0x0E, 0x11] as [AttributeHandle], counts))[...]
    let expected = pdus.map { counts -> [UInt8] in
      let values = rest.prefix(counts.count).map { AttributeValue($0, Array(value($1))) }
      rest = rest.dropFirst(counts.count)
      return values.count > 1
        ? AttributePDU.multipleNotification(values).encode()
        : AttributePDU.notification(values[0].handle, values[0].value).encode()
    }
    #expect(sent.compactMap { $0?.packet } == expected)
    #expect(sent.compactMap(\.self).flatMap(\.characteristics) == [3, 4, 5])
  }

  @Test func `a value is cut to the MTU`() {
    var server = AttributeServer(of: Self.multiple)
    #expect(server.join(value(30), from: Self.first) == nil)
    #expect(server.takeJoinedValues()?.packet == [0x1B, 0x0B, 0x00] + value(20))
  }

  @Test func `a characteristic that is not here sends nothing`() {
    var server = AttributeServer(of: Self.multiple)
    #expect(server.join(value(1), from: 99) == nil)
    #expect(server.takeJoinedValues() == nil)
  }

  @Test func `the feature of a bonded central holds on the next link`() throws {
    try expect(
      Self.multiple,
      "central bonds\n" + Self.takesThem + "central reconnects\n"
        + "] 02 01 41 42\n< 23 0B 00 01 00 41 0E 00 01 00 42")
  }

  @Test func `a central that does not know the attributes gets none`() throws {
    var definition = SpecificationCase.caching
    definition.link.multipleNotifications = true
    try expect(
      definition,
      """
      central bonds
      > 12 09 00 05
      < 13
      > 12 13 00 01 00
      < 13
      ] 43
      central reconnects
      ] 4E 01
      > 0A 10 00
      < 01 0A 10 00 12
      > 0A 10 00
      < 0B 41
      ] 4E 02
      < 1B 12 00 02
      """)
  }

  private func value(_ count: Int) -> ArraySlice<UInt8> { ArraySlice(repeating: 0x41, count: count) }
}
