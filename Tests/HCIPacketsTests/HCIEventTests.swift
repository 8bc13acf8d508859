import Bluetooth
import TestSupport
import Testing

@testable import HCIPackets

@Suite struct HCIEventTests {
  static let peer = DeviceAddress("4C:32:75:0A:11:9E")!
  // 48.75 ms is 0x0027 units of 1.25 ms, 420 ms is 0x002A units of 10 ms
  static let parameters = ConnectionParameters(interval: 39, latency: 0, supervisionTimeout: 42)
  static let zeros = String(repeating: "00 ", count: 6)
  static let privateAddresses = zeros + zeros

  /// After 04 for an event: code, length, parameters.
  static let known: [(String, HCIEvent)] = [
    // status, handle, reason
    ("05 04  00 40 00 13", .disconnected(0x0040, .remoteUserTerminated)),
    ("05 04  00 40 00 08", .disconnected(0x0040, .supervisionTimeout)),
    // status, handle, mode
    ("08 04  00 40 00 01", .encryptionChanged(0x0040, isEncrypted: true)),
    ("08 04  00 40 00 00", .encryptionChanged(0x0040, isEncrypted: false)),
    ("08 04  06 40 00 00", .encryptionFailed(0x0040, HCIError(rawValue: 0x06))),
    // version 2: with the length of the key
    ("59 05  00 40 00 01 10", .encryptionChanged(0x0040, isEncrypted: true)),
    // status, handle
    ("30 03  00 40 00", .encryptionChanged(0x0040, isEncrypted: true)),
    ("30 03  3D 40 00", .encryptionFailed(0x0040, HCIError(rawValue: 0x3D))),
    // how many commands may follow, LE Read PHY, status, handle, both PHYs
    ("0E 08  01 30 20 00 40 00 01 02", .completed(.readPHY, returnParameters: [0, 0x40, 0, 1, 2])),
    // status, how many commands may follow, LE Connection Update
    ("0F 04  00 01 13 20", .begun(.updateConnection, nil)),
    ("0F 04  1A 01 13 20", .begun(.updateConnection, .unsupportedRemoteFeature)),
    // LE Connection Complete: status, handle, role, type of the address, address, interval, latency, timeout, accuracy
    (
      "3E 13 01  00 40 00 01  00 9E 11 0A 75 32 4C  27 00 00 00 2A 00  00",
      .connected(
        EstablishedLink(0x0040, isCentral: false, peer: LinkAddress(peer, .public), parameters: parameters))
    ),
    // LE Enhanced Connection Complete: with two private addresses after the address; type 3 is a resolved random one
    (
      "3E 1F 0A  00 40 00 01  01 9E 11 0A 75 32 4C  \(privateAddresses) 27 00 00 00 2A 00  00",
      .connected(
        EstablishedLink(0x0040, isCentral: false, peer: LinkAddress(peer, .random), parameters: parameters))
    ),
    (
      "3E 1F 0A  00 40 00 01  03 9E 11 0A 75 32 4C  \(privateAddresses) 27 00 00 00 2A 00  00",
      .connected(
        EstablishedLink(0x0040, isCentral: false, peer: LinkAddress(peer, .random), parameters: parameters))
    ),
    // role 0: this side is the central, which used the first of the two
    (
      "3E 1F 0A  00 40 00 00  00 9E 11 0A 75 32 4C  66 55 44 33 22 71 \(zeros) 27 00 00 00 2A 00  00",
      .connected(
        EstablishedLink(
          0x0040, isCentral: true, peer: LinkAddress(peer, .public),
          localPrivateAddress: DeviceAddress("71:22:33:44:55:66"), parameters: parameters))
    ),
    // version 2: at the end the advertising handle and the sync handle
    (
      "3E 22 29  00 40 00 01  02 9E 11 0A 75 32 4C  \(privateAddresses) 27 00 00 00 2A 00  00  01 FF FF",
      .connected(
        EstablishedLink(0x0040, isCentral: false, peer: LinkAddress(peer, .public), parameters: parameters))
    ),
    // LE Connection Update Complete: status, handle, interval, latency, timeout
    ("3E 0A 03  00 40 00  27 00 00 00 2A 00", .parametersChanged(0x0040, parameters)),
    (
      "3E 0A 03  3B 40 00  00 00 00 00 00 00",
      .parametersRefused(0x0040, .unacceptableConnectionParameters)
    ),
    // LE Data Length Change: handle; bytes and microseconds, sent and received
    (
      "3E 0B 07  40 00  FB 00 48 08  1B 00 48 01",
      .packetSizesChanged(0x0040, Directions(sent: 251, received: 27))
    ),
    // LE PHY Update Complete: status, handle, PHY to send, PHY to receive
    ("3E 06 0C  00 40 00 02 03", .physChanged(0x0040, Directions(sent: .le2M, received: .leCoded))),
    // LE Advertising Set Terminated: status, handle of the set, of the link, how many events there were
    ("3E 06 12  00 EF 40 00 00", .advertisingSetEnded(handle: 0xEF, .link(0x0040))),
    ("3E 06 12  43 EF 00 00 03", .advertisingSetEnded(handle: 0xEF, .error(.limitReached))),
    // LE Connection Complete: status, and what does not count
    (
      "3E 13 01  3C 40 00 01  00 9E 11 0A 75 32 4C  27 00 00 00 2A 00  00",
      .connectionFailed(HCIError(rawValue: 0x3C))
    ),
    // LE Long Term Key Request: handle, Rand, EDIV
    (
      "3E 0D 05  40 00  01 02 03 04 05 06 07 08  34 12",
      .longTermKeyRequested(0x0040, rand: [1, 2, 3, 4, 5, 6, 7, 8], diversifier: 0x1234)
    ),
    // LE Remote Connection Parameter Request: handle, shortest and longest interval, latency, timeout
    (
      "3E 0B 06  40 00  06 00 0C 00 01 00 64 00",
      .parametersRequested(
        0x0040, PreferredConnectionParameters(interval: 6...12, latency: 1, supervisionTimeout: 100))
    ),
    ("10 01 2A", .hardwareFailed(0x2A)),
  ]

  @Test(arguments: known)
  func `a known event is read, and cut short it is another`(text: String, event: HCIEvent) {
    let packet = bytes("04 " + text)
    #expect(HCIEvent(packet) == event)
    for count in 2..<packet.count { #expect(HCIEvent(packet.prefix(count)) == .other(code: packet[1])) }
  }

  @Test(arguments: [
    "05 04  0C 40 00 13",  // no disconnection
    "3E 0B 06  40 00  0C 00 06 00 01 00 64 00",  // the longest interval is shorter than the shortest
    "3E 06 0C  00 40 00 02 04",  // an unknown PHY
    "3E 06 0C  1A 40 00 01 01",  // no change
    "3E 00", "3E 02 0D 00", "13 05  01 40 00 01 00", "FF 00",
  ])
  func `anything else is another event`(text: String) {
    let packet = bytes("04 " + text)
    #expect(HCIEvent(packet) == .other(code: packet[1]))
  }

  @Test func `a command of others is read, and cut short it is none`() {
    let packet = bytes("01 3C 20 01 EF")
    #expect(HCIEvent(packet) == .given(HCICommand(.removeAdvertisingSet, [0xEF])))
    for count in 0..<packet.count { #expect(HCIEvent(packet.prefix(count)) == nil) }
  }

  /// Handle and flags, length twice, channel; code, IO capability, OOB data, AuthReq, key size, keys of both
  @Test(arguments: [("2D", true), ("05", false), ("08", true), ("F7", false)])
  func `a Pairing Request is read, and cut short it is nothing`(authentication: String, isSecure: Bool) {
    let packet = bytes("02 40 20 0B 00 07 00 06 00 01 04 00 \(authentication) 10 07 07")
    #expect(HCIEvent(packet) == .pairingRequested(0x0040, bySecureConnections: isSecure))
    for count in 0..<13 { #expect(HCIEvent(packet.prefix(count)) == nil) }
  }

  @Test(arguments: [
    "", "04", "03 05 04 00 40 00 13", "01 06 04 03 40 00",
    "02 40 20 0B 00 07 00 06 00 02 04 00 2D 10 07 07",  // a Pairing Response
    "02 40 20 0B 00 07 00 04 00 01 04 00 2D 10 07 07",  // another channel
    "02 40 10 0B 00 07 00 06 00 01 04 00 2D 10 07 07",  // the rest of another packet
    "02 40 00 0B 00 07 00 06 00 01 04 00 2D 10 07 07",  // sent by this side
  ])
  func `a packet that is neither event nor command nor Pairing Request has none`(text: String) {
    #expect(HCIEvent(bytes(text)) == nil)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `no packet brings it down`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1000 {
      let body = random.bytes(Int.random(in: 0...40, using: &random))
      let code: UInt8 = [0x05, 0x08, 0x0E, 0x0F, 0x30, 0x3E, 0x3E, 0x3E].randomElement(using: &random)!
      let length = UInt8.random(in: 0...UInt8(body.count), using: &random)
      _ = HCIEvent([0x04, code, length, UInt8.random(in: 0...0x2A, using: &random)] + body)
      _ = HCIEvent([0x04] + body)
      _ = HCIEvent(body)
      _ = HCIEvent([0x01] + body)
      _ = Directions<PHY>.read(from: body)
    }
  }

  @Test func `the answer to LE Read PHY has the link and both PHYs`() throws {
    let (handle, phys) = try #require(Directions<PHY>.read(from: bytes("00 40 00 01 02")))
    #expect(handle == 0x0040)
    #expect(phys == Directions(sent: .le1M, received: .le2M))
    #expect(Directions<PHY>.read(from: bytes("02 40 00 00 00")) == nil)  // Unknown Connection Identifier
  }

  @Test func `a command is a packet`() {
    // 30 to 50 ms, latency 4, 3 s; the length of connection events is open
    let preferred = PreferredConnectionParameters(interval: 24...40, latency: 4, supervisionTimeout: 300)
    #expect(
      hexadecimal(HCICommand.updateConnection(0x0040, preferred).packet)
        == "01 13 20 0E 40 00 18 00 28 00 04 00 2C 01 00 00 00 00")
    #expect(hexadecimal(HCICommand.readPHY(0x0040).packet) == "01 30 20 02 40 00")
  }

  /// A command and its completion: LE Long Term Key Request Negative Reply, handle; the same for LE Long Term Key Request Reply.
  static let refusedKeys: [(String, LinkHandle?)] = [
    ("01  1B 20 02 40 00", 0x0040), ("04  0E 06 01 1B 20 00 40 00", 0x0040),
    ("04  0E 06 01 1B 20 02 40 00", nil), ("04  0E 06 01 1A 20 00 40 00", nil),
    ("04  05 04 00 40 00 06", nil),
  ]

  @Test(arguments: refusedKeys)
  func `a link is without a key after a negative reply`(packet: String, handle: LinkHandle?) {
    #expect(HCIEvent(bytes(packet))?.linkWithoutKey == handle)
  }
}
