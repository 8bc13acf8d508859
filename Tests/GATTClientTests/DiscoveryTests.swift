import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import GATTClient

@Suite(.timeLimit(.minutes(10))) struct DiscoveryTests {
  /// As bluetoothd answers at an MTU of 23: services of 16 bits, then one of 128, then the end.
  static let script = """
    > 10 01 00 FF FF 00 28                            # primary services
    < 11 06 01 00 05 00 00 18 06 00 09 00 01 18       # 1 to 5: 1800, 6 to 9: 1801
    > 10 0A 00 FF FF 00 28
    < 11 14 20 00 FF FF 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 01 00 40 6E

    > 08 01 00 05 00 03 28                            # characteristics of 1800
    < 09 07 02 00 02 03 00 00 2A 04 00 02 05 00 01 2A # at 2: read, value at 3, 2A00; at 4: read, value at 5, 2A01
    > 08 05 00 05 00 03 28
    < 01 08 05 00 0A                                  # Attribute Not Found

    > 08 06 00 09 00 03 28                            # of 1801
    < 09 07 07 00 20 08 00 05 2A                      # at 7: indicate, value at 8, 2A05
    > 08 08 00 09 00 03 28
    < 01 08 08 00 0A
    > 04 09 00 09 00                                  # descriptors behind 8
    < 05 01 09 00 02 29                               # at 9: 2902

    > 08 20 00 FF FF 03 28                            # of the Nordic UART
    < 09 15 21 00 10 22 00 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 03 00 40 6E
    > 08 22 00 FF FF 03 28
    < 01 08 22 00 0A
    > 04 23 00 FF FF
    < 05 01 23 00 02 29 24 00 01 29                   # at 23: 2902, at 24: 2901
    > 04 25 00 FF FF
    < 01 04 25 00 0A
    """

  static let uart = DiscoveredCharacteristic(
    uuid: BluetoothUUID("6E400003-B5A3-F393-E0A9-E50E24DCCA9E")!, properties: .notify,
    declarationHandle: 0x21, handle: 0x22,
    descriptors: [.init(0x23, 0x2902), .init(0x24, 0x2901)])

  static let database = DiscoveredTable(services: [
    DiscoveredService(
      uuid: 0x1800, handles: HandleRange(1, 5),
      characteristics: [
        DiscoveredCharacteristic(uuid: 0x2A00, properties: .read, declarationHandle: 2, handle: 3),
        DiscoveredCharacteristic(uuid: 0x2A01, properties: .read, declarationHandle: 4, handle: 5),
      ]),
    DiscoveredService(
      uuid: 0x1801, handles: HandleRange(6, 9),
      characteristics: [
        DiscoveredCharacteristic(
          uuid: 0x2A05, properties: .indicate, declarationHandle: 7, handle: 8,
          descriptors: [.init(9, 0x2902)])
      ]),
    DiscoveredService(
      uuid: BluetoothUUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")!,
      handles: HandleRange(0x20, 0xFFFF), characteristics: [uart]),
  ])

  @EventLoop @Test func `services, characteristics and descriptors are found`() async throws {
    let (client, peer) = client(Self.script)
    let database = try await client.discover()
    #expect(database == Self.database)
    await peer.finish()
    #expect(database.characteristics.map(\.handle) == [3, 5, 8, 0x22])
    #expect(database.characteristics.map(\.configuration) == [nil, nil, 9, 0x23])
  }

  @EventLoop @Test func `a server without services has none`() async throws {
    let (client, peer) = client("> 10 01 00 FF FF 00 28\n< 01 10 01 00 0A")
    #expect(try await client.discover().services == [])
    await peer.finish()
  }

  private static let services = "> 10 01 00 FF FF 00 28\n< "
  private static let characteristics = services + "11 06 01 00 FF FF E0 FF\n> 08 01 00 FF FF 03 28\n< "

  @EventLoop
  @Test(
    arguments: [
      // a service that ends before it begins
      (services + "11 06 05 00 04 00 00 18", .badTable(.handleOutOfPlace, 5)),
      // handle 0
      (services + "11 06 00 00 04 00 00 18", .badTable(.handleOutOfPlace, 0)),
      // the second service before the first
      (services + "11 06 05 00 06 00 00 18 01 00 04 00 01 18", .badTable(.handleOutOfPlace, 1)),
      // again what was found before
      (
        services + "11 06 01 00 05 00 00 18\n> 10 06 00 FF FF 00 28\n< 11 06 01 00 05 00 00 18",
        .badTable(.handleOutOfPlace, 1)
      ),
      // a UUID of 3 bytes
      (services + "11 07 01 00 05 00 00 18 00", .badTable(.unreadableDeclaration, 1)),
      (services + "01 10 01 00 06", .refused(.requestNotSupported, .readByGroupTypeRequest, 1)),
      // a declaration without UUID
      (characteristics + "09 05 02 00 02 03 00", .badTable(.unreadableDeclaration, 2)),
      // a value before its declaration, and at it
      (characteristics + "09 07 02 00 02 01 00 00 2A", .badTable(.handleOutOfPlace, 1)),
      (characteristics + "09 07 02 00 02 02 00 00 2A", .badTable(.handleOutOfPlace, 2)),
      // a value behind the next declaration
      (
        characteristics
          + "09 07 02 00 02 09 00 00 2A 04 00 02 05 00 00 2A\n> 08 05 00 FF FF 03 28\n< 01 08 05 00 0A",
        .badTable(.handleOutOfPlace, 9)
      ),
      // descriptors that go down
      (
        characteristics + "09 07 FD FF 02 FE FF 00 2A\n> 08 FE FF FF FF 03 28\n< 01 08 FE FF 0A\n"
          + "> 04 FF FF FF FF\n< 05 01 FE FF 02 29", .badTable(.handleOutOfPlace, 0xFFFE)
      ),
    ] as [(String, GATTClientError)])
  func `a table that cannot be is an error, not a loop`(script: String, expected: GATTClientError) async {
    let (client, peer) = client(script)
    let error = await error { () throws(GATTClientError) in _ = try await client.discover() }
    #expect(error == expected)
    await peer.finish()
  }

  @Test func `the error names the handle`() {
    #expect(
      GATTClientError.badTable(.handleOutOfPlace, 0x21).message
        == "the attribute table is invalid: handle 0x0021 is out of place")
    #expect(
      GATTClientError.badTable(.unreadableDeclaration, 0xFFFE).message
        == "the attribute table is invalid: the declaration at handle 0xFFFE cannot be read")
  }
}
