import Behavior
import Bluetooth
import Glibc
import TestSupport
@testable import Peripheral

@testable import TrafficView

/// Every kind of event at least once, from an HM-10 and a bracelet.
enum SampleTraffic {
  /// 2026-03-01 11:01:03.221 UTC, which is also the local time.
  static let time: WallTime = {
    setenv("TZ", "UTC", 1)
    tzset()
    return WallTime(microseconds: 1_772_362_863_221_999)
  }()

  static let central = DeviceAddress("4C:32:75:0A:11:9E")!

  /// 48.75 ms and 420 ms
  static let parameters = ConnectionParameters(interval: 39, latency: 4, supervisionTimeout: 42)

  static let onAir: TrafficEvent.OnAir = {
    // services FFE0, flags; complete local name "HMSoft"
    let packets = AdvertisingPackets(
      advertisingFields: [
        AdvertisingField(.services, ADStructure(.completeServiceUUIDs16, [0xE0, 0xFF])),
        AdvertisingField(.flags, ADStructure(.flags, [0x06])),
      ],
      scanResponseFields: [
        AdvertisingField(.localName, ADStructure(.completeLocalName, Array("HMSoft".utf8)))
      ])
    return TrafficEvent.OnAir(
      definition: "HM-10", name: "HMSoft",
      adapter: LocalAdapter(
        name: "hci0", address: DeviceAddress("00:1A:7D:DA:71:13")!, stack: "BlueZ 5.66"),
      packets: packets, services: [0xFFE0, 0x180F], wire: "hm10 -> /dev/pts/5")
  }()

  private static func onAir(with address: SetAddress?) -> TrafficEvent.OnAir {
    var device = onAir
    device.ownAddress = address
    return device
  }

  static let resolvable = SetAddress(
    DeviceAddress("5A:0C:11:7D:2E:90")!,
    identity: DeviceIdentity(address: DeviceAddress("C0:00:5E:00:53:01"), resolvingKey: []))

  static let totals: TrafficEvent.Totals = {
    var totals = TrafficEvent.Totals()
    totals.duration = .milliseconds(124_500)
    totals.centrals = 1
    totals.valuesIn = 318
    totals.valuesOut = 402
    totals.valuesLost = 3
    return totals
  }()

  static let one: TrafficEvent.Totals = {
    var totals = TrafficEvent.Totals()
    (totals.valuesIn, totals.valuesOut, totals.valuesLost) = (1, 1, 1)
    return totals
  }()

  static let corrupted: FaultStrike = {
    var strike = FaultStrike("corrupt 1 bit out", number: 1, ordinal: 4)
    (strike.place, strike.direction) = ("serial", .out)
    (strike.value, strike.replacement) = ([0x41, 0x42], [[0x41, 0x52]])
    return strike
  }()

  static let lost: FaultStrike = {
    var strike = FaultStrike("drop in", number: 2, ordinal: 5)
    (strike.place, strike.direction, strike.central) = ("serial", .into, central)
    (strike.value, strike.replacement) = ([0x41], [])
    return strike
  }()

  static let refusal: FaultStrike = {
    var strike = FaultStrike("refuse 0x80", number: 4, ordinal: 1)
    (strike.place, strike.direction) = ("serial", .into)
    (strike.value, strike.refused) = ([0x41], .writeNotPermitted)
    return strike
  }()

  static let privateAddress = DeviceAddress("5E:B0:22:41:9C:7A")!

  /// What some of the bytes are.
  static let messages = EventMessages(
    of: definition(
      """
      advertisement: { local-name: Sample }
      messages:
        at: "41 54"
        one: "41"
        hello: "{letter: u8} 65 6C 6C 6F {end: bytes(2)}"
      """))

  static let hello = Array("Hello\r\n".utf8)

  static let events: [TrafficEvent.Kind] = [
    .onAir(onAir),
    .connected(central),
    .connected(central, LinkDescription(addressKind: .random, parameters: parameters)),
    .connected(central, LinkDescription(addressKind: .public, parameters: nil)),
    .link(central, LinkChange(phys: Directions(sent: .le1M, received: .le1M), rssi: -58)),
    .link(central, LinkChange(phys: Directions(sent: .le2M, received: .leCoded))),
    .link(central, LinkChange(parameters: parameters)),
    .link(central, LinkChange(packetSizes: Directions(sent: 251, received: 27))),
    .subscribed(central, "FFE1"),
    .subscribed(nil, "serial"),
    .read(central, "FFE1", hello, refused: nil),
    .read(nil, "FFE1", [], refused: .invalidOffset),
    .write(central, "FFE1", hello, .command, refused: nil),
    .write(nil, "FFE1", [0xA5], .request, refused: .writeNotPermitted),
    .write(central, "FFE1/2901", [], .reliable, refused: nil),
    .notify("FFE1", Array("OK".utf8)),
    .indicate("FFE1", [0x00, 0xFF]),
    .wireIn(Array("AT".utf8)),
    .wireOut([0x5C, 0x22]),
    .plain("wire", [0x41], isSent: false),
    .plain("serial", [0x42], isSent: true),
    .wire(.opened(by: "127.0.0.1:51234")),
    .wire(.opened(by: nil)),
    .wire(.closed(by: "127.0.0.1:51234")),
    .wire(.closed(by: nil)),
    .wire(.refused("127.0.0.1:51236")),
    .wire(.baudRate(9600)),
    .wire(.started(program: "robot", process: 4711)),
    .wire(.said(program: "robot", "\u{1B}[2Jno \"wheel\"")),
    .wire(.ended(program: "robot", .status(3), restart: .milliseconds(1600))),
    .wire(.ended(program: "robot", .signal(9), restart: nil)),
    .sent(SentValue([0x81, 0x02], from: "serial", message: "turned")),
    .sent(SentValue([], from: "wire")),
    .sent(SentValue([0x81], from: "FFE1", to: central)),
    .oneSided(.device, .notify("serial", [0x41, 0x42], message: "ask")),
    .fault(corrupted),
    .oneSided(.peer, .notify("serial", [0x41, 0x52])),
    .oneSided(.peer, .write(central, "serial", [0x41], .request, refused: nil)),
    .oneSided(.device, .write(central, "serial", [0x51], .request, refused: .writeNotPermitted)),
    .oneSided(.device, .wireOut([0x41])),
    .oneSided(.device, .wireIn([0x41])),
    .oneSided(.device, .channelOut("stream", [0x41])),
    .oneSided(.device, .channelIn(central, "stream", [0x41])),
    .oneSided(.device, .plain("serial", [0x42], isSent: true)),
    .fault(lost),
    .fault(FaultStrike("stop advertising", number: 3, ordinal: 1)),
    .fault(refusal),
    .log("größer \"A\"\n\u{1B}[2J"),
    .warning("not a frame: checksum is A4, should be A3", attribute: "serial", [0xA5, 0x06]),
    .warning("the output is not read", attribute: nil, []),
    .error("BlueZ has refused"),
    .unsubscribed(central, "FFE1"),
    .unsubscribed(nil, "FFE1"),
    .opened(central, "stream"),
    .channelIn(central, "stream", [0x41, 0x54]),
    .channelOut("stream", [0x4F, 0x4B], message: "ok"),
    .closed(central, "stream", reason: nil),
    .closed(central, "stream", reason: "with the link"),
    .discovered(central, found: ["time", "news"], missing: ["control"]),
    .discovered(central, found: [], missing: ["time"]),
    .clientIn(central, "time", [0x41, 0x54]),
    .clientIn(central, "time", [0x41], isRead: true),
    .clientOut(central, "control", [0x4F, 0x4B], message: "ok"),
    .disconnected(central),
    .disconnected(central, .remoteUserTerminated),
    .disconnected(central, .supervisionTimeout),
    .disconnected(central, .localHost),
    .disconnected(central, HCIError(rawValue: 0x2E)),
    .offAir(.stopped(restoringAdapter: true), totals), .offAir(.stopped(restoringAdapter: false), one),
    .offAir(.failed("bluetoothd has stopped"), totals),
  ]

  /// The kinds that ``events`` lacks, and the members of objects that it lacks.
  static let further: [TrafficEvent.Kind] = [
    .onAir(onAir(with: DeviceAddress("C0:00:5E:00:53:01").map { SetAddress($0) })),
    .onAir(onAir(with: resolvable)),
    .address(resolvable, set: nil), .address(resolvable, set: "beacon"),
    .connected(
      central, LinkDescription(addressKind: .random, privateAddress: privateAddress, parameters: nil)),
    .identified(privateAddress, LinkAddress(central)),
    .identified(privateAddress, LinkAddress(central, .random)),
    .paired(central), .bonded(central), .pairingFailed(central, .confirmValueFailed),
    .encrypted(central, LinkSecurity(.authenticated)), .passkeyShown(central, 42),
    .notify("FFE1", [0x81], message: "turned"), .indicate("FFE1", [0x81], message: "turned"),
    .wireOut([0x81], message: "turned"),
    .frame(central, "serial", [0x41], isSent: false),
    .frame(nil, "serial", [0x81], message: "turned", isSent: true),
    .controlled(.reset), .controlled(.advance(.seconds(2))), .controlled(.press("button", nil)),
    .intercepted(1, .began("> serial")), .intercepted(1, .answered), .intercepted(1, .refused),
    .intercepted(1, .ended),
  ]

  static func text(_ format: some TrafficFormat) -> String {
    events.map { format.text(for: $0, at: time) }.joined()
  }
}
