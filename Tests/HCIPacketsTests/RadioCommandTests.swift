import Bluetooth
import TestSupport
import Testing

@testable import HCIPackets

@Suite struct RadioCommandTests {
  private static let peer = LinkAddress(DeviceAddress("C0:00:5E:00:53:02")!, .random)

  private static func set(
    _ properties: AdvertisingSetParameters.Properties, change: (inout AdvertisingSet) -> Void = { _ in }
  ) -> AdvertisingSet {
    let interval = AdvertisingInterval(units: 0xA0)...AdvertisingInterval(units: 0x140)
    var set = AdvertisingSet(
      handle: 7, parameters: AdvertisingSetParameters(properties: properties, interval: interval),
      data: [], scanResponse: [])
    change(&set)
    return set
  }

  /// After the type, the opcode and the length: shortest and longest interval; type; kinds of the own address and of the
  /// target, and the target; channels; filter policy.
  @Test(
    arguments: [
      (
        set([.legacy, .connectable, .scannable]),
        "01 06 20 0F A0 00 40 01 00 00 00 00 00 00 00 00 00 07 00"
      ),
      (
        set([.legacy, .connectable, .directed, .highDutyCycle]) { $0.parameters.target = peer },
        "01 06 20 0F A0 00 40 01 01 00 01 02 53 00 5E 00 C0 07 00"
      ),
      (
        set([.legacy, .scannable]) { $0.address = DeviceAddress("C0:00:5E:00:53:01") },
        "01 06 20 0F A0 00 40 01 02 01 00 00 00 00 00 00 00 07 00"
      ),
      (
        set(.legacy) { $0.parameters.channels = .channel(39) },
        "01 06 20 0F A0 00 40 01 03 00 00 00 00 00 00 00 00 04 00"
      ),
      (
        set([.legacy, .connectable, .directed]) { $0.parameters.target = LinkAddress(peer.address) },
        "01 06 20 0F A0 00 40 01 04 00 00 02 53 00 5E 00 C0 07 00"
      ),
    ])
  func `legacy advertising has five types`(set: AdvertisingSet, packet: String) {
    #expect(hexadecimal(HCICommand.setLegacyParameters(set).packet) == packet)
  }

  @Test func `legacy data is its length and 31 bytes`() {
    let zeros = String(repeating: " 00", count: 28)
    #expect(
      hexadecimal(HCICommand.setLegacyData([2, 1, 6]).packet) == "01 08 20 20 03 02 01 06" + zeros)
    #expect(
      hexadecimal(HCICommand.setLegacyScanResponse([2, 10, 0]).packet) == "01 09 20 20 03 02 0A 00" + zeros)
    let most = [UInt8](repeating: 0xFF, count: 31)
    #expect(HCICommand.setLegacyData(most).parameters == [31] + most)
  }

  private static func scan(_ change: (inout Scan) -> Void) -> Scan {
    var scan = Scan(isActive: true)
    change(&scan)
    return scan
  }

  @Test(
    arguments: [
      // Type, interval 60 ms, window 30 ms, kind of the own address, filter policy.
      (scan { $0.window = 0x30 }, false, "01 0B 20 07 01 60 00 30 00 00 00"),
      (
        scan { ($0.isActive, $0.isAcceptListOnly, $0.address) = (false, true, peer.address) }, false,
        "01 0B 20 07 00 60 00 60 00 01 01"
      ),
      // Kind of the own address, filter policy, PHYs; for each of them type, interval, window.
      (scan { $0.window = 0x30 }, true, "01 41 20 08 00 00 01 01 60 00 30 00"),
      (
        scan { ($0.phys, $0.isAcceptListOnly, $0.address) = ([.le1M, .leCoded], true, peer.address) }, true,
        "01 41 20 0D 01 01 05 01 60 00 60 00 01 60 00 60 00"
      ),
    ])
  func `the parameters of a scan`(scan: Scan, isExtended: Bool, packet: String) {
    #expect(hexadecimal(HCICommand.setScanParameters(scan, isExtended: isExtended).packet) == packet)
  }

  private static var request: ConnectionRequest {
    let parameters = PreferredConnectionParameters(
      interval: 0x18...0x28, latency: 1, supervisionTimeout: 0x2A)
    return ConnectionRequest(.device(peer), parameters: parameters)
  }

  private static func request(_ change: (inout ConnectionRequest) -> Void) -> ConnectionRequest {
    var request = request
    change(&request)
    return request
  }

  @Test(
    arguments: [
      // Scan interval and window; filter policy; the peer; kind of the own address; shortest and longest interval, latency,
      // supervision timeout; lengths of connection events.
      (
        request, false,
        "01 0D 20 19 60 00 60 00 00 01 02 53 00 5E 00 C0 00 18 00 28 00 01 00 2A 00 00 00 00 00"
      ),
      (
        request { ($0.peer, $0.address) = (.acceptList, peer.address) }, false,
        "01 0D 20 19 60 00 60 00 01 00 00 00 00 00 00 00 01 18 00 28 00 01 00 2A 00 00 00 00 00"
      ),
      // Filter policy; kind of the own address; the peer; PHYs; for each of them the rest.
      (
        request, true,
        "01 43 20 1A 00 00 01 02 53 00 5E 00 C0 01 60 00 60 00 18 00 28 00 01 00 2A 00 00 00 00 00"
      ),
      (
        request { ($0.peer, $0.address, $0.phys) = (.acceptList, peer.address, [.le1M, .le2M]) }, true,
        "01 43 20 2A 01 01 00 00 00 00 00 00 00 03"
          + String(repeating: " 60 00 60 00 18 00 28 00 01 00 2A 00 00 00 00 00", count: 2)
      ),
    ])
  func `a link is requested with all its parameters`(
    request: ConnectionRequest, isExtended: Bool, packet: String
  ) {
    #expect(hexadecimal(HCICommand.createConnection(request, isExtended: isExtended).packet) == packet)
  }

  @Test(
    arguments: [
      (.setRandomAddress(peer.address), "01 05 20 06 02 53 00 5E 00 C0"),
      (.setLegacyEnabled(true), "01 0A 20 01 01"), (.setLegacyEnabled(false), "01 0A 20 01 00"),
      (.startScan(scan { $0.filtersDuplicates = true }, isExtended: false), "01 0C 20 02 01 01"),
      (.stopScan(isExtended: false), "01 0C 20 02 00 00"),
      (
        .startScan(scan { $0.filtersDuplicates = true }, isExtended: true),
        "01 42 20 06 01 01 00 00 00 00"
      ),
      (.stopScan(isExtended: true), "01 42 20 06 00 00 00 00 00 00"),
      (.cancelConnection, "01 0E 20 00"), (.clearAcceptList, "01 10 20 00"),
      (.addToAcceptList(peer), "01 11 20 07 01 02 53 00 5E 00 C0"),
      (.removeFromAcceptList(LinkAddress(peer.address)), "01 12 20 07 00 02 53 00 5E 00 C0"),
    ] as [(HCICommand, String)])
  func `a short command`(command: HCICommand, packet: String) {
    #expect(hexadecimal(command.packet) == packet)
  }
}
