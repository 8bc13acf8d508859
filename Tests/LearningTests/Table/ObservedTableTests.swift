import Captures
import Testing

@testable import Learning

struct ObservedTableTests {
  /// The discovery of `jk-b1a20s15p.btsnoop`: FFE1 twice in one service.
  let twice = ObservedTable(connections: [
    connection(
      """
      > 10 01 00 FF FF 00 28
      < 11 06 01 00 FF FF E0 FF
      > 08 01 00 FF FF 03 28
      < 09 07 02 00 0C 03 00 E1 FF 04 00 12 05 00 E1 FF
      > 04 06 00 FF FF
      < 05 01 06 00 02 29
      > 04 07 00 FF FF
      < 01 04 07 00 0A
      > 52 03 00 AA
      < 1B 05 00 41
      > 12 09 00 01
      """)
  ])

  @Test func `discovery gives services, characteristics and descriptors`() {
    #expect(twice.services.map(\.uuid.uuid) == [0xFFE0])
    #expect(twice.services.first?.endHandle == 0xFFFF)
    #expect(twice.characteristics.map(\.valueHandle) == [3, 5])
    #expect(twice.characteristics.map(\.properties) == [[.writeWithoutResponse, .write], [.read, .notify]])
    #expect(twice.characteristics.map(\.descriptors).map { $0.map(\.handle) } == [[], [6]])
    #expect(twice.undeclared == [9])
  }

  @Test func `a UUID that two characteristics have is an id with the handle`() {
    #expect(twice.id(of: 3) == "FFE1-0003")
    #expect(twice.id(of: 6) == "FFE1-0005")
    #expect(twice.id(of: 9) == nil)
  }
}
