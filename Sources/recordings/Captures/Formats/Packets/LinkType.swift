/// The link types of pcap and pcapng that are of Bluetooth Low Energy (tcpdump.org/linktypes.html).
enum LinkType: UInt32 {
  /// BLUETOOTH_HCI_H4.
  case h4 = 187
  /// PPI.
  case ppi = 192
  /// BLUETOOTH_HCI_H4_WITH_PHDR.
  case h4WithDirection = 201
  /// BLUETOOTH_LE_LL.
  case linkLayer = 251
  /// BLUETOOTH_LINUX_MONITOR.
  case monitor = 254
  /// BLUETOOTH_LE_LL_WITH_PHDR.
  case linkLayerWithRadio = 256
  /// NORDIC_BLE.
  case nordic = 272

  var name: String {
    switch self {
    case .h4: "HCI, H4"
    case .ppi: "Link Layer in PPI"
    case .h4WithDirection: "HCI, H4 with direction"
    case .linkLayer: "Link Layer"
    case .monitor: "Linux monitor"
    case .linkLayerWithRadio: "Link Layer with radio header"
    case .nordic: "nRF Sniffer"
    }
  }

  /// A link type as in `1 (Ethernet)`.
  static func describe(_ number: UInt32) -> String {
    foreignNames[number].map { "\(number) (\($0))" } ?? "\(number)"
  }

  /// What people have in such files most often.
  private static let foreignNames: [UInt32: String] = [
    0: "loopback", 1: "Ethernet", 101: "IP", 105: "Wi-Fi", 113: "Linux cooked",
    127: "Wi-Fi with radio header",
    189: "USB of Linux", 195: "IEEE 802.15.4", 220: "USB of Linux", 230: "IEEE 802.15.4",
    249: "USB of Windows",
    255: "Bluetooth Classic baseband", 266: "USB of macOS", 276: "Linux cooked", 288: "USB 2.0",
  ]
}
