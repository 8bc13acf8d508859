import Bluetooth
import EventLoop
import Glibc

/// All adapters of the kernel, also those that a program has for itself: the management interface does not list these
/// (include/net/bluetooth/hci_sock.h). Every user may ask for them.
package enum KernelAdapters {
  private static let family: Int32 = 31
  private static let hci: Int32 = 1
  /// `HCIGETDEVLIST`, `_IOR('H', 210, int)`.
  private static let getList: UInt = 0x8004_48D2
  /// `HCIGETDEVINFO`, `_IOR('H', 211, int)`.
  private static let getInformation: UInt = 0x8004_48D3

  /// In the order of their indices; empty if the kernel has no Bluetooth.
  package static var all: [LocalController] {
    let number = socket(family, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), hci)
    guard number >= 0 else { return [] }
    let descriptor = FileDescriptor(owning: number)
    var list = AdapterList()
    guard ask(descriptor, getList, &list.bytes) else { return [] }
    return list.indices.sorted().compactMap { index in
      var information = AdapterInformation(of: index)
      guard ask(descriptor, getInformation, &information.bytes) else { return nil }
      return information.address.map { LocalController(index: index, address: LinkAddress($0)) }
    }
  }

  private static func ask(_ socket: FileDescriptor, _ request: UInt, _ bytes: inout [UInt8]) -> Bool {
    bytes.withUnsafeMutableBytes { ioctl(socket.rawValue, request, $0.baseAddress!) == 0 }
  }
}

/// `struct hci_dev_list_req`, in the byte order of the machine: how many adapters fit, then how many there are (2 bytes); from offset 4
/// on, 8 bytes for each, its index in the first two.
struct AdapterList {
  private static let capacity = 64
  private static let rowLength = 8

  var bytes: [UInt8]

  init() {
    bytes = [UInt8](repeating: 0, count: 4 + Self.capacity * Self.rowLength)
    bytes[0] = UInt8(Self.capacity)
  }

  var indices: [UInt16] {
    let count = min(Int(bytes.number(at: 0)), Self.capacity)
    return (0..<count).map { bytes.number(at: 4 + $0 * Self.rowLength) }
  }
}

/// `struct hci_dev_info`: the index (2 bytes), the name (8), the address with its least significant byte first (6), and more.
struct AdapterInformation {
  /// More than any kernel writes.
  private static let length = 128

  var bytes: [UInt8]

  init(of index: UInt16) {
    bytes = [index].withUnsafeBytes(Array.init) + [UInt8](repeating: 0, count: Self.length)
  }

  var address: DeviceAddress? { DeviceAddress(littleEndianBytes: bytes[10..<16]) }
}

extension [UInt8] {
  fileprivate func number(at offset: Int) -> UInt16 {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self) }
  }
}
