import Bluetooth
import Glibc
import TestSupport
import Testing

@testable import Kernel

/// The structures of the kernel, of which there are no headers here.
@Suite struct KernelStructureTests {
  static let address = DeviceAddress("00:1A:7D:DA:71:13")!

  @Test(arguments: [
    // family, PSM, address with its last byte first, CID 4, kind of address, padding
    (LinkAddress(address, .public), "1F 00 00 00 13 71 DA 7D 1A 00 04 00 01 00"),
    (LinkAddress(address, .random), "1F 00 00 00 13 71 DA 7D 1A 00 04 00 02 00"),
  ])
  func `a socket's address has 14 bytes`(device: LinkAddress, text: String) {
    #expect(hexadecimal(SocketAddress(attributesOf: device).bytes) == text)
  }

  @Test func `links are asked for by controller and number of rows`() {
    #expect(hexadecimal(LinkList(of: 1, capacity: 2).bytes.prefix(4)) == "01 00 02 00")
    #expect(LinkList(of: 1, capacity: 2).bytes.count == 4 + 2 * 16)
  }

  @Test func `the link is found by address and kind`() {
    var list = LinkList(of: 1, capacity: 3)
    #expect(list.handle(of: Self.address) == nil)
    list.bytes = bytes(
      """
      01 00 02 00 \
      0B 00 13 71 DA 7D 1A 00 01 01 01 00 00 00 00 00 \
      2A 01 13 71 DA 7D 1A 00 80 01 01 00 00 00 00 00 \
      2B 00 14 71 DA 7D 1A 00 80 01 01 00 00 00 00 00
      """)
    #expect(list.handle(of: Self.address) == 0x012A)  // the first is BR/EDR
    #expect(list.handle(of: DeviceAddress("00:1A:7D:DA:71:14")!) == nil)  // only two rows count
    #expect(list.handle(of: DeviceAddress("00:1A:7D:DA:71:15")!) == nil)
  }

  @Test func `the link mode says whether a link is encrypted`() {
    var list = LinkList(of: 1, capacity: 2)
    list.bytes = bytes(
      """
      01 00 02 00 \
      2A 01 13 71 DA 7D 1A 00 80 00 01 00 04 00 00 00 \
      2B 00 14 71 DA 7D 1A 00 80 01 01 00 03 00 00 00
      """)
    #expect(list.isEncrypted(to: Self.address) == true)
    #expect(list.isEncrypted(to: DeviceAddress("00:1A:7D:DA:71:14")!) == false)
    #expect(list.isEncrypted(to: DeviceAddress("00:1A:7D:DA:71:15")!) == nil)
  }

  @Test func `a count past the end is no link`() {
    var list = LinkList(of: 1, capacity: 0)
    list.bytes = bytes("01 00 FF FF")
    #expect(list.handle(of: Self.address) == nil)
  }
}

@Suite struct L2CAPErrorTests {
  static let own = LinkAddress(DeviceAddress("00:AA:01:01:00:01")!)
  static let peer = LinkAddress(DeviceAddress("C0:AA:01:00:00:00")!, .random)

  @Test(arguments: [
    (EAFNOSUPPORT, "this kernel has no Bluetooth sockets", false),
    (EPERM, "the kernel does not allow this program to use Bluetooth sockets", false),
    (EHOSTUNREACH, "no adapter with the address 00:AA:01:01:00:01 is switched on", false),
    (EOPNOTSUPP, "the adapter 00:AA:01:01:00:01 does not support Bluetooth LE", false),
    (EBUSY, "the link to C0:AA:01:00:00:00 (random) is in use by another program", true),
    (ECONNREFUSED, "cannot connect to C0:AA:01:00:00:00 (random): Connection refused", false),
  ])
  func `an error before connecting becomes a message`(code: Int32, message: String, isTransient: Bool) {
    let error = L2CAPError(beforehand: code, own: Self.own, peer: Self.peer)
    #expect(error.message == message)
    #expect(error.isTransient == isTransient)
    #expect(!error.hint.isEmpty)
  }

  @Test(arguments: [
    (ETIMEDOUT, "C0:AA:01:00:00:00 (random) did not answer within 20.0 seconds", false),
    (EBUSY, "the link to C0:AA:01:00:00:00 (random) is in use by another program", true),
    (ECANCELED, "connecting was cancelled", false),
    (ENOSYS, "cannot connect to C0:AA:01:00:00:00 (random): Function not implemented", true),
    (EOPNOTSUPP, "cannot connect to C0:AA:01:00:00:00 (random): Operation not supported", false),
    (EPROTONOSUPPORT, "cannot connect to C0:AA:01:00:00:00 (random): Protocol not supported", true),
  ])
  func `the outcome of connecting becomes a message`(code: Int32, message: String, isTransient: Bool) {
    let error = L2CAPError(outcome: code, peer: Self.peer, timeLimit: .seconds(20))
    #expect(error.message == message)
    #expect(error.isTransient == isTransient)
    #expect(!error.hint.isEmpty)
  }

  @Test func `the hint names the device to disconnect`() {
    #expect(
      L2CAPError.busy(Self.peer).hint
        == "disconnect it (bluetoothctl disconnect C0:AA:01:00:00:00), then try again")
  }

  @Test(arguments: [
    (ECONNRESET, "the peripheral has ended the link"),
    (EPIPE, "the peripheral has ended the link"),
    (ETIMEDOUT, "the peripheral is out of range"),
    (ECONNABORTED, "the link was closed on this side, by another program or with the adapter"),
    (EIO, "the link is lost: Input/output error"),
  ])
  func `the end of a link has a reason`(code: Int32, text: String) {
    #expect("\(LinkEnd(errno: code))" == text)
  }
}
