import Bluetooth
import Definitions
import DeviceModel
import TestSupport
import Testing

/// The text of a fault.
@Suite struct FaultTextTests {
  @Test(arguments: [
    "drop", "duplicate in", "delay 200ms", "delay 200ms jitter 50ms out on down", "reorder on wire",
    "corrupt 1 bit", "corrupt 2 bytes message total", "truncate to 5 bytes out on down message total once",
    "split into 2 pieces", "merge 3 values", "stall", "stall 5s", "throttle to 100 bytes/s",
    "throttle to 960 bytes/s, 256 bytes", "spoil checksum",
    "refuse insufficient-authentication on up 3 times", "refuse application-error-80 12.5%", "answer never",
    "answer 2s late every 21st", "confirm never on alarm", "confirm 1min late", "disconnect after 100 bytes",
    "disconnect after 1 frame on up", "disconnect while streaming twice", "disconnect every 30s", "reboot",
    "refuse connections for 30s", "stop advertising after 5s for 10s", "advertise as \"Other \\\"one\\\"\"",
    "refuse request-not-supported on mtu once", "answer never on discovery",
    "answer 3s late on discovery/services 10%",
    "refuse unlikely-error on down/2902", "answer never on up/2901 twice",
    "refuse unlikely-error handle 0x0000 on down",
    "fade to -80 dBm", "lose 30% of packets for 5s", "leave range after 1s for 10s",
    "garble advertisement for 2min", "vanish for 2s every 30s", "drop 0.0001%", "drop every 112th",
    "person answers 8s late", "person answers never 50%", "person refuses once", "person types 000111 twice",
  ])
  func `a fault is written as it is read`(text: String) throws {
    let fault = try reader.read(text)
    #expect(try reader.read(fault.description) == fault)
    let words = Set(text.split(separator: " ")), printed = Set(fault.description.split(separator: " "))
    #expect(words == printed)
  }

  @Test func `any fault that can be written is read as the same`() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<5000 {
      let fault = Fault.random(using: &random)
      #expect(try reader.read(fault.description) == fault, "\(fault)")
    }
  }

  @Test func `parts follow the kind in any order`() throws {
    #expect(
      try reader.read("drop once every 3rd on up in after 2s")
        == reader.read("drop in on up every 3rd after 2s once"))
    #expect(try reader.read("drop 1 times") == reader.read("drop once"))
    #expect(try reader.read("drop both ways once") == reader.read("drop once"))
    #expect(try reader.read("drop after 1.5s") == reader.read("drop after 1500ms"))
  }
}

extension Fault {
  fileprivate static func random(using random: inout SplitMix64) -> Fault {
    var fault = Fault(Kind.random(using: &random))
    let isPresence = fault.kind.subject == .presence
    let times = [1, 999, 1000, 1500, 60_000, 90_000, 3_600_000].map { Duration.milliseconds($0) }
    func chance() -> Bool { Bool.random(using: &random) }
    if fault.kind.subject == .values || fault.kind.subject == .moments {
      if chance() { fault.direction = Direction.allCases.randomElement(using: &random) }
      if chance() { fault.place = [.wire, .characteristic(1, id: "down")].randomElement(using: &random) }
      if chance() { fault.message = Message(index: 0, name: "total") }
    }
    if fault.kind.subject == .requests, chance() {
      fault.place = [
        .characteristic(1, id: "down"), .request(.mtu, name: "mtu"),
        .request(.discovery(nil), name: "discovery"),
        .request(.discovery(.includes), name: "discovery/includes"),
        .request(.descriptor(0x2902, of: 1), name: "down/2902"),
      ].randomElement(using: &random)
    }
    if isPresence {
      if chance() { fault.duration = times.randomElement(using: &random) }
    } else if chance() {
      fault.rate = [.chance(millionths: Int.random(in: 1...1_000_000, using: &random)), .every(23)]
        .randomElement(using: &random)!
    }
    if chance() {
      fault.after = [.bytes(1), .bytes(100), .values(2), .frames(3), .time(times[2])]
        .randomElement(using: &random)
      if fault.kind.subject == .linkRequests { fault.after = .time(times[2]) }
    }
    if chance() { fault.state = "streaming" }
    if chance() { fault.count = Int.random(in: 1...5, using: &random) }
    return fault
  }
}

extension Fault.Kind {
  fileprivate static func random(using random: inout SplitMix64) -> Fault.Kind {
    let number = Int.random(in: 2...100, using: &random)
    let time = Duration.milliseconds(Int.random(in: 1...100_000, using: &random))
    let all: [Fault.Kind] = [
      .drop, .duplicate, .delay(time), .delay(time, jitter: time), .reorder, .corrupt(number, .bits),
      .corrupt(1, .bytes), .truncate(to: number), .split(into: number), .merge(number), .stall(nil),
      .stall(time), .throttle(number), .throttle(number, buffer: number), .spoilChecksum,
      .refuse(.writeNotPermitted),
      .refuse(.unlikelyError, handle: 0x0A1F), .answer(nil),
      .answer(time), .confirm(nil), .confirm(time), .disconnect, .reboot, .refuseConnections, .loseLink,
      .refuseParameters, .ignoreParameters, .refuseEncryption, .spoilConfirm,
      .failPairing(.unspecifiedReason, at: .pairingResponse), .failPairing(.dhKeyCheckFailed, at: .keys),
      .person(.answers(late: time)), .person(.answers(late: nil)), .person(.refuses),
      .person(.types(UInt32(number))),
      .stopAdvertising, .advertise(as: "A \"\\ name"), .garbleAdvertisement, .vanish,
      .fade(to: -number), .losePackets(percent: min(number, 99)), .leaveRange,
    ]
    return all.randomElement(using: &random)!
  }
}
