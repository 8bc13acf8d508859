extension Checksum {
  /// Finds a checksum by its name in a definition file.
  ///
  /// The name of a checksum of several bytes may end in `-be` or `-le` to choose the byte order.
  ///
  /// - Parameter own: the definition's own checksums.
  package static func named(_ name: some StringProtocol, or own: [Checksum] = []) -> Checksum? {
    let name = String(name)
    if let exact = base(name, own) { return exact }
    guard name.utf8.dropLast(2).last == UInt8(ascii: "-") else { return nil }
    for order in ByteOrder.allCases where name.lowercased().hasSuffix("-\(order.rawValue)") {
      guard let base = base(String(name.dropLast(3)), own), base.width > 1 else { return nil }
      return Checksum(name: base.name, algorithm: base.algorithm, byteOrder: order)
    }
    return nil
  }

  private static func base(_ name: String, _ own: [Checksum]) -> Checksum? {
    byName[name.lowercased()]?.make() ?? own.first { $0.name == name }
  }

  /// Every name without a byte order suffix, in the order of the list below.
  package static let names = registered.flatMap(\.names)

  /// Every accepted name, for suggestions.
  package static let allNames = names.flatMap { allNames($0, width: byName[$0]?.width ?? 1) }

  /// Every accepted name of some checksums.
  package static func allNames(of checksums: [Checksum]) -> [String] {
    checksums.flatMap { allNames($0.name, width: $0.width) }
  }

  private static func allNames(_ name: String, width: Int) -> [String] {
    width > 1 ? [name, "\(name)-be", "\(name)-le"] : [name]
  }

  /// A checksum that is created on demand: the table of a CRC takes time, and most are never used.
  private struct Entry: Sendable {
    let names: [String]
    /// In bytes.
    let width: Int
    let make: @Sendable () -> Checksum
  }

  private static let byName = Dictionary(
    uniqueKeysWithValues: registered.flatMap { entry in entry.names.map { ($0, entry) } })

  private static let registered: [Entry] = sums + crc8s + crc16s + crc32s + fletchers

  private static let fletchers: [Entry] = [
    entry("fletcher16", .fletcher(.fletcher16)),
    entry("fletcher32", .fletcher(.fletcher32)),
    entry("adler32", .fletcher(.adler32)),
  ]

  private static let sums: [Entry] = [
    entry("xor8", .xor),
    entry("sum8", .sum(Sum(width: 1))),
    entry("sum16", .sum(Sum(width: 2))),
    entry("negative-sum8", .sum(Sum(width: 1, complement: .negative))),
    entry("negative-sum16", .sum(Sum(width: 2, complement: .negative))),
    entry("inverted-sum8", .sum(Sum(width: 1, complement: .inverted))),
    entry("inverted-sum16", .sum(Sum(width: 2, complement: .inverted))),
  ]

  private static func entry(
    _ name: String, _ algorithm: ChecksumAlgorithm, _ aliases: String...
  ) -> Entry {
    Entry(names: [name] + aliases, width: algorithm.width) { Checksum(name: name, algorithm: algorithm) }
  }
}

// The parameters of the CRCs are those of Greg Cook's "Catalogue of parametrised CRC algorithms"
// (reveng.sourceforge.io/crc-catalogue), whose names follow `crc8-`, `crc16-` and `crc32-`.

extension Checksum {
  private static let crc8s: [Entry] = [
    crc8("smbus", 0x07, aliases: ["crc8"]),
    crc8("autosar", 0x2F, 0xFF, xor: 0xFF),
    crc8("bluetooth", 0xA7, reflected: true),
    crc8("cdma2000", 0x9B, 0xFF),
    crc8("darc", 0x39, reflected: true),
    crc8("dvb-s2", 0xD5),
    crc8("ebu", 0x1D, 0xFF, reflected: true, aliases: ["crc8-tech-3250", "crc8-aes"]),
    crc8("gsm-a", 0x1D),
    crc8("gsm-b", 0x49, xor: 0xFF),
    crc8("hitag", 0x1D, 0xFF),
    crc8("i-code", 0x1D, 0xFD),
    crc8("itu", 0x07, xor: 0x55, aliases: ["crc8-i-432-1"]),
    crc8("lte", 0x9B),
    crc8("maxim", 0x31, reflected: true, aliases: ["crc8-maxim-dow", "crc8-dallas"]),
    crc8("mifare-mad", 0x1D, 0xC7),
    crc8("nrsc-5", 0x31, 0xFF),
    crc8("opensafety", 0x2F),
    crc8("rohc", 0x07, 0xFF, reflected: true),
    crc8("sae-j1850", 0x1D, 0xFF, xor: 0xFF),
    crc8("wcdma", 0x9B, reflected: true),
  ]

  private static let crc16s: [Entry] = [
    crc16("arc", 0x8005, reflected: true, aliases: ["crc16", "crc16-ibm"]),
    crc16("buypass", 0x8005, aliases: ["crc16-umts"]),
    crc16("ccitt-false", 0x1021, 0xFFFF, aliases: ["crc16-ibm-3740", "crc16-autosar"]),
    crc16("cdma2000", 0xC867, 0xFFFF),
    crc16("cms", 0x8005, 0xFFFF),
    crc16("dds-110", 0x8005, 0x800D),
    crc16("dect-r", 0x0589, xor: 0x0001),
    crc16("dect-x", 0x0589),
    crc16("dnp", 0x3D65, reflected: true, xor: 0xFFFF),
    crc16("en-13757", 0x3D65, xor: 0xFFFF),
    crc16("genibus", 0x1021, 0xFFFF, xor: 0xFFFF),
    crc16("gsm", 0x1021, xor: 0xFFFF),
    crc16("kermit", 0x1021, reflected: true, aliases: ["crc16-ccitt"]),
    crc16("maxim", 0x8005, reflected: true, xor: 0xFFFF, aliases: ["crc16-maxim-dow"]),
    crc16("mcrf4xx", 0x1021, 0xFFFF, reflected: true),
    crc16("modbus", 0x8005, 0xFFFF, reflected: true),
    crc16("opensafety-a", 0x5935),
    crc16("opensafety-b", 0x755B),
    crc16("profibus", 0x1DCF, 0xFFFF, xor: 0xFFFF),
    crc16("riello", 0x1021, 0xB2AA, reflected: true),
    crc16("spi-fujitsu", 0x1021, 0x1D0F, aliases: ["crc16-aug-ccitt"]),
    crc16("t10-dif", 0x8BB7),
    crc16("teledisk", 0xA097),
    crc16("usb", 0x8005, 0xFFFF, reflected: true, xor: 0xFFFF),
    crc16("x-25", 0x1021, 0xFFFF, reflected: true, xor: 0xFFFF, aliases: ["crc16-ibm-sdlc"]),
    crc16("xmodem", 0x1021),
  ]

  private static let crc32s: [Entry] = [
    crc32("iso-hdlc", 0x04C1_1DB7, .max, reflected: true, xor: .max, aliases: ["crc32"]),
    crc32("bzip2", 0x04C1_1DB7, .max, xor: .max),
    crc32("cksum", 0x04C1_1DB7, xor: .max),
    crc32("iscsi", 0x1EDC_6F41, .max, reflected: true, xor: .max, aliases: ["crc32c"]),
    crc32("jamcrc", 0x04C1_1DB7, .max, reflected: true),
    crc32("mpeg-2", 0x04C1_1DB7, .max),
    crc32("xfer", 0x0000_00AF),
  ]

  private static func crc8(
    _ name: String, _ polynomial: UInt32, _ initial: UInt32 = 0, reflected: Bool = false, xor: UInt32 = 0,
    aliases: [String] = []
  ) -> Entry {
    crc(8, name, polynomial, initial, reflected, xor, aliases)
  }

  private static func crc16(
    _ name: String, _ polynomial: UInt32, _ initial: UInt32 = 0, reflected: Bool = false, xor: UInt32 = 0,
    aliases: [String] = []
  ) -> Entry {
    crc(16, name, polynomial, initial, reflected, xor, aliases)
  }

  private static func crc32(
    _ name: String, _ polynomial: UInt32, _ initial: UInt32 = 0, reflected: Bool = false, xor: UInt32 = 0,
    aliases: [String] = []
  ) -> Entry {
    crc(32, name, polynomial, initial, reflected, xor, aliases)
  }

  private static func crc(
    _ width: Int, _ name: String, _ polynomial: UInt32, _ initial: UInt32, _ reflected: Bool, _ xor: UInt32,
    _ aliases: [String]
  ) -> Entry {
    let name = "crc\(width)-\(name)"
    return Entry(names: [name] + aliases, width: width / 8) {
      let crc = CRC(
        width: width, polynomial: polynomial, initial: initial, reflected: reflected, finalXOR: xor)
      return Checksum(name: name, algorithm: .crc(crc))
    }
  }
}
