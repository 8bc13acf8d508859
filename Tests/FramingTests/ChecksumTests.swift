import Testing

@testable import Framing

@Suite struct ChecksumTests {
  /// The check value of "123456789" in the catalogue of parametrised CRC algorithms
  /// (reveng.sourceforge.io/crc-catalogue); the sums of those nine bytes are easily added up.
  @Test(arguments: [
    ("xor8", 0x31), ("sum8", 0xDD), ("sum16", 0x01DD),
    ("negative-sum8", 0x23), ("negative-sum16", 0xFE23),
    ("inverted-sum8", 0x22), ("inverted-sum16", 0xFE22),

    ("crc8", 0xF4), ("crc8-smbus", 0xF4), ("crc8-autosar", 0xDF), ("crc8-bluetooth", 0x26),
    ("crc8-cdma2000", 0xDA), ("crc8-darc", 0x15), ("crc8-dvb-s2", 0xBC), ("crc8-ebu", 0x97),
    ("crc8-gsm-a", 0x37), ("crc8-gsm-b", 0x94), ("crc8-hitag", 0xB4), ("crc8-i-code", 0x7E),
    ("crc8-itu", 0xA1), ("crc8-lte", 0xEA), ("crc8-maxim", 0xA1), ("crc8-mifare-mad", 0x99),
    ("crc8-nrsc-5", 0xF7), ("crc8-opensafety", 0x3E), ("crc8-rohc", 0xD0), ("crc8-sae-j1850", 0x4B),
    ("crc8-wcdma", 0x25),

    ("crc16", 0xBB3D), ("crc16-arc", 0xBB3D), ("crc16-buypass", 0xFEE8), ("crc16-ccitt-false", 0x29B1),
    ("crc16-cdma2000", 0x4C06), ("crc16-cms", 0xAEE7), ("crc16-dds-110", 0x9ECF),
    ("crc16-dect-r", 0x007E), ("crc16-dect-x", 0x007F), ("crc16-dnp", 0xEA82),
    ("crc16-en-13757", 0xC2B7), ("crc16-genibus", 0xD64E), ("crc16-gsm", 0xCE3C),
    ("crc16-kermit", 0x2189), ("crc16-maxim", 0x44C2), ("crc16-mcrf4xx", 0x6F91),
    ("crc16-modbus", 0x4B37), ("crc16-opensafety-a", 0x5D38), ("crc16-opensafety-b", 0x20FE),
    ("crc16-profibus", 0xA819), ("crc16-riello", 0x63D0), ("crc16-spi-fujitsu", 0xE5CC),
    ("crc16-t10-dif", 0xD0DB), ("crc16-teledisk", 0x0FB3), ("crc16-usb", 0xB4C8),
    ("crc16-x-25", 0x906E), ("crc16-xmodem", 0x31C3),

    ("crc32", 0xCBF4_3926), ("crc32-iso-hdlc", 0xCBF4_3926), ("crc32-bzip2", 0xFC89_1918),
    ("crc32-cksum", 0x765E_7680), ("crc32c", 0xE306_9283), ("crc32-iscsi", 0xE306_9283),
    ("crc32-jamcrc", 0x340B_C6D9), ("crc32-mpeg-2", 0x0376_E6E7), ("crc32-xfer", 0xBD0B_E338),

    ("fletcher16", 0x1EDE), ("adler32", 0x091E_01DE),
  ])
  func `gives the published check value`(name: String, check: UInt32) throws {
    let checksum = try #require(Checksum.named(name))
    #expect(try checksum.value(of: "123456789".bytes.span) == check)
  }

  /// Test vectors of the Wikipedia article "Fletcher's checksum".
  @Test(arguments: [
    ("fletcher16", "abcde", 0xC8F0), ("fletcher16", "abcdef", 0x2057), ("fletcher16", "abcdefgh", 0x0627),
    ("fletcher32", "abcde", 0xF04F_C729), ("fletcher32", "abcdef", 0x5650_2D2A),
    ("fletcher32", "abcdefgh", 0xEBE1_9591),
  ])
  func `gives Fletcher's published sums`(name: String, text: String, check: UInt32) throws {
    let checksum = try #require(Checksum.named(name))
    #expect(try checksum.value(of: text.bytes.span) == check)
  }

  /// Frames as real devices send them: the bytes covered, then the check bytes on the air.
  @Test(arguments: [
    ("xor8", "A5 06 03 01 02", "A3"),  // bracelet: packets of January 2
    ("xor8", "A5 06 83 2C 01", "0D"),
    ("xor8", "12 10 01 00 00 00 01 B4 01 1E 55 5A 00 00 01 03", "A4"),  // Yunmai: from byte 1
    ("sum8", "69 01 01 00 00 00 00 00 00 00 00 00 00 00 00", "6B"),  // Colmi: start heart rate
    ("sum8", "30 18 00 7F 00 00", "C7"),  // Senssun: bytes 1 to 6
    ("sum8", "10 0B 15 1C B1 01 01 F4 01 F4", "E8"),  // QN scale
    ("crc8-maxim", "AB 04 03", "EE"),  // Lefun: battery
    ("crc8-maxim", "5A 14 12 00 18 01 02 00 00 04 D2 00 00 03 84 00 00 C3 50", "10"),
    ("negative-sum16", "03 00", "FF FD"),  // JBD: command and length
    ("negative-sum16", "00 08 0C FD 0C FE 0C FF 0D 00", "FC CD"),
    ("crc16-modbus", "D2 03 00 00 00 3E", "D7 B9"),  // Daly
    ("crc16-modbus", "D2 03 00 A9 00 20", "87 91"),
  ])
  func `proves the frames of real devices`(name: String, covered: String, check: String) throws {
    let checksum = try #require(Checksum.named(name))
    #expect(HexText.format(try checksum.compute(HexText.parse(covered))) == check)
  }

  @Test(arguments: [
    ("crc16-modbus", "37 4B"), ("crc16-modbus-le", "37 4B"), ("crc16-modbus-be", "4B 37"),
    ("crc16-xmodem", "31 C3"), ("crc16-xmodem-le", "C3 31"), ("sum16-le", "DD 01"),
    ("crc32-be", "CB F4 39 26"), ("CRC16-Modbus", "37 4B"),
  ])
  func `sends the check bytes in the order of the name`(name: String, sent: String) throws {
    let checksum = try #require(Checksum.named(name))
    #expect(HexText.format(try checksum.compute("123456789".bytes)) == sent)
  }

  @Test(arguments: Checksum.allNames)
  func `reads its own name, and computes as many bytes as its width`(name: String) throws {
    let checksum = try #require(Checksum.named(name))
    #expect(Checksum.named(checksum.description) == checksum)
    #expect(try checksum.compute([1, 2, 3]).count == checksum.width)
    #expect(try checksum.compute([UInt8]()).count == checksum.width)
  }

  /// The sum of a power plug, plus 1: 256 is sent as 00.
  @Test(arguments: [("03 00 01 00 00", "05"), ("FF", "00")])
  func `sends the lowest bytes of a definition's number`(covered: String, check: String) throws {
    let defined = DefinedChecksum(source: "", width: 1, byteOrder: .bigEndian, weight: 1) { bytes in
      bytes.reduce(1) { $0 + Int64($1) }
    }
    let own = Checksum(name: "plus-one", algorithm: .defined(defined))
    #expect(try own.compute(HexText.parse(covered)) == HexText.parse(check))
    #expect(Checksum.named("plus-one", or: [own]) == own && Checksum.named("plus-one") == nil)
    #expect(Checksum.named("plus-one-le", or: [own]) == nil)
  }

  @Test(arguments: ["", "crc", "crc16-modbus-", "xor8-be", "-be", "sum8-le", "crc16-modbus-be-be"])
  func `knows no other names`(name: String) {
    #expect(Checksum.named(name) == nil)
  }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}
