import Bluetooth
import DeviceModel
import TestSupport
import Testing

@testable import Exact

@Suite struct LayoutTests {
  private static func advertisement(_ change: (inout Advertisement) -> Void) -> Advertisement {
    var advertisement = Advertisement()
    advertisement.serviceUUIDs = [0xFFE0]
    change(&advertisement)
    return advertisement
  }

  @Test func `Flags come first, and the name is in the scan response`() {
    let packets = ExactLayout(
      Self.advertisement {
        $0.localName = "HMSoft"
        $0.txPower = 0
      }
    ).packets
    #expect(hexadecimal(packets.advertisingData.bytes) == "02 01 06 03 03 E0 FF 02 0A 00")
    #expect(hexadecimal(packets.scanResponse.bytes) == "07 09 48 4D 53 6F 66 74")
  }

  @Test func `Flags of the device take the place of ours`() {
    let packets = ExactLayout(Self.advertisement { $0.rawStructures = [ADStructure(.flags, [0x1A])] }).packets
    #expect(hexadecimal(packets.advertisingData.bytes) == "03 03 E0 FF 02 01 1A")
  }

  @Test(
    arguments: [
      ("flags services", "raw", "02 01 06 03 03 E0 FF", "02 01 1A"),
      ("flags services raw", "", "03 03 E0 FF 02 01 1A", ""),
      ("services", "raw", "03 03 E0 FF", "02 01 1A"),
    ])
  func `Flags of the device take the place of ours in their own packet only`(
    data: String, response: String, dataBytes: String, responseBytes: String
  ) {
    func fields(_ text: String) -> [AdvertisingField.Content] {
      text.split(separator: " ").map { AdvertisingField.Content(rawValue: String($0))! }
    }
    let packets = ExactLayout(
      Self.advertisement {
        $0.rawStructures = [ADStructure(.flags, [0x1A])]
        $0.layout = PacketLayout(advertisingData: fields(data), scanResponse: fields(response))
      }
    ).packets
    #expect(hexadecimal(packets.advertisingData.bytes) == dataBytes)
    #expect(hexadecimal(packets.scanResponse.bytes) == responseBytes)
  }

  @Test func `bytes stand between the fields of a packet, and leave less room for the name`() {
    let packets = ExactLayout(
      Self.advertisement {
        $0.localName = String(repeating: "N", count: 30)
        $0.packetBytes = [[0x05, 0x09, 0x41], [0x00, 0x00]]
        $0.layout = PacketLayout(
          advertisingData: [.flags, .bytes, .services], scanResponse: [.localName, .bytes])
      }
    ).packets
    #expect(hexadecimal(packets.advertisingData.bytes) == "02 01 06 05 09 41 03 03 E0 FF")
    // The structure of five bytes takes those of the next one, and the rest is longer than the packet.
    #expect(packets.advertisingData.structures.map(\.type) == [.flags, .completeLocalName])
    #expect(packets.advertisingData.remainder == [0xFF])
    #expect(packets.scanResponse.size == 31 && packets.scanResponse.remainder == [0x00, 0x00])
    #expect(packets.scanResponseFields.map(\.content) == [.localName, .bytes])
  }

  /// Of what is not connectable, Flags are optional (CSS Part A 1.3).
  @Test(arguments: [
    (false, 24, true), (false, 25, false), (false, 27, false), (false, 28, false), (true, 24, true),
    (true, 25, true),
  ])
  func `Flags are left out where nobody can connect and they do not fit`(
    isConnectable: Bool, size: Int, hasFlags: Bool
  ) {
    var advertisement = Advertisement()
    advertisement.manufacturerData = [
      ManufacturerData(company: 0x4C, bytes: Array(repeating: 7, count: size))
    ]
    (advertisement.isConnectable, advertisement.isScannable) = (isConnectable, isConnectable)
    let layout = ExactLayout(advertisement)
    #expect(layout.packets.advertisingFields.contains { $0.content == .flags } == hasFlags)
    #expect(layout.packets.omittedFields.map(\.content) == (hasFlags ? [] : [.flags]))
    // Length, type and company are four bytes.
    #expect((layout.overflow == nil) == (size + 4 + (hasFlags ? 3 : 0) <= 31))
  }

  @Test func `tx-power is left out where it does not fit`() {
    let layout = ExactLayout(
      Self.advertisement {
        $0.manufacturerData = [ManufacturerData(company: 0x4D48, bytes: Array(repeating: 7, count: 18))]
        $0.txPower = 0
      })
    #expect(layout.packets.advertisingFields.size == 29)
    #expect(layout.packets.omittedFields.map(\.content) == [.txPower])
    #expect(layout.overflow == nil)
  }

  @Test func `data that does not fit is refused, and the longest field named`() {
    let layout = ExactLayout(
      Self.advertisement {
        $0.manufacturerData = [ManufacturerData(company: 0x4D48, bytes: Array(repeating: 7, count: 21))]
      })
    #expect(
      layout.overflow?.description
        == "advertising data needs 32 bytes, but only 31 fit: manufacturer-data takes 25; shorten it by 1"
        + ", or put it into the scan response with 'packets'")
  }

  @Test(
    arguments: [
      ("flags local-name services", "tx-power", "02 01 06 05 09 4E 61 6D 65 03 03 E0 FF", "02 0A 04"),
      ("services tx-power", "local-name", "03 03 E0 FF 02 0A 04", "05 09 4E 61 6D 65"),
      (
        "flags incomplete-services", "tx-power local-name", "02 01 06 03 02 E0 FF",
        "02 0A 04 05 09 4E 61 6D 65"
      ),
      ("tx-power local-name services flags", "", "02 0A 04 05 09 4E 61 6D 65 03 03 E0 FF 02 01 06", ""),
    ])
  func `a definition may lay out the packets`(data: String, response: String, sent: String, answered: String)
  {
    let fields = [data, response].map {
      $0.split(separator: " ").map { AdvertisingField.Content(rawValue: String($0))! }
    }
    let layout = ExactLayout(
      Self.advertisement {
        $0.localName = "Name"
        $0.txPower = 4
        $0.layout = PacketLayout(advertisingData: fields[0], scanResponse: fields[1])
      })
    #expect(hexadecimal(layout.packets.advertisingData.bytes) == sent)
    #expect(hexadecimal(layout.packets.scanResponse.bytes) == answered)
    #expect(layout.overflow == nil)
  }

  @Test func `a name is shortened to the room that the other fields leave`() {
    let layout = ExactLayout(
      Self.advertisement {
        $0.localName = String(repeating: "n", count: 30)
        $0.layout = PacketLayout(advertisingData: [.flags, .localName, .services])
      })
    #expect(layout.packets.advertisingFields.map(\.size) == [3, 24, 4])
    #expect(layout.packets.advertisingData.structures[1].type == .shortenedLocalName)
  }

  @Test func `the scan response may be too long, too`() {
    let layout = ExactLayout(
      Self.advertisement {
        $0.manufacturerData = [ManufacturerData(company: 0x4D48, bytes: Array(repeating: 7, count: 28))]
        $0.layout = PacketLayout(advertisingData: [.services], scanResponse: [.manufacturerData])
      })
    #expect(
      layout.overflow?.description
        == "the scan response needs 32 bytes, but only 31 fit: manufacturer-data takes 32; shorten it by 1")
  }

  @Test func `a long name is shortened in the scan response`() {
    let packets = ExactLayout(Self.advertisement { $0.localName = String(repeating: "n", count: 30) }).packets
    #expect(packets.scanResponse.structures.map(\.type) == [.shortenedLocalName])
    #expect(packets.scanResponseFields.size == 31)
  }
}

@Suite struct ExactCheckTests {
  @Test func `a handle that is taken is an error at its place`() throws {
    let definition = try define(
      """
      blemu: 1
      name: Device
      services:
        - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }
        - { uuid: FFE5, handle: 0x000C, characteristics: [] }
      """)
    let findings = ExactLimits().check(definition)
    #expect(findings.map(\.place) == [.handle(of: .service(1))])
    #expect(findings.map(\.severity) == [.error])
    #expect(findings.map(\.message) == ["0x000C is not free: the attributes before it go up to 0x000C"])
  }

  @Test func `a service ends where it says, unless it has attributes behind that`() throws {
    let definition = try define(
      """
      blemu: 1
      name: Device
      services:
        - { uuid: FFE0, end-handle: 0x0020, characteristics: [{ uuid: FFE1, properties: [read] }] }
        - { uuid: FFE5, end-handle: 0x0022, characteristics: [{ uuid: FFE6, properties: [read] }] }
      """)
    let findings = ExactLimits().check(definition)
    #expect(findings.map(\.place) == [.handle(of: .serviceEnd(1))])
    #expect(
      findings.map(\.message) == ["the service cannot end at 0x0022: its attributes go up to 0x0023"])
  }
}
