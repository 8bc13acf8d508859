import Cryptography
import Testing

/// AES and its modes, with the vectors of their standards.
@Suite struct AESTests {
  /// The keys and the four blocks of NIST SP 800-38A and 800-38B, and RFC 4493.
  static let keys = [
    128: hex("2B7E151628AED2A6ABF7158809CF4F3C"),
    192: hex("8E73B0F7DA0E6452C810F32B809079E562F8EAD2522C6B7B"),
    256: hex("603DEB1015CA71BE2B73AEF0857D77811F352C073B6108D72D9810A30914DFF4"),
  ]
  static let message = hex(
    "6BC1BEE22E409F96E93D7E117393172AAE2D8A571E03AC9C9EB76FAC45AF8E51"
      + "30C81C46A35CE411E5FBC1191A0A52EFF69F2445DF4F9B17AD2B417BE66C3710")
  private static let vector = Array<UInt8>(0..<16)
  private static let counter = Array<UInt8>(0xF0...0xFF)

  /// FIPS 197, appendix C.
  @Test(arguments: [
    (16, "69C4E0D86A7B0430D8CDB78070B4C55A"), (24, "DDA97CA4864CDFE06EAF70A0EC0D7191"),
    (32, "8EA2B7CA516745BFEAFC49904B496089"),
  ])
  func `a block is that of FIPS 197`(keySize: Int, block: String) {
    let aes = AES(key: Array(0..<UInt8(keySize)))
    let plain = hex("00112233445566778899AABBCCDDEEFF")
    #expect(aes.encrypt(plain) == hex(block))
    #expect(aes.decrypt(hex(block)) == plain)
  }

  /// NIST SP 800-38A, F.1.
  @Test(arguments: [
    (
      128, "3AD77BB40D7A3660A89ECAF32466EF97F5D3D58503B9699DE785895A96FDBAAF",
      "43B1CD7F598ECE23881B00E3ED0306887B0C785E27E8AD3F8223207104725DD4"
    ),
    (
      192, "BD334F1D6E45F25FF712A214571FA5CC974104846D0AD3AD7734ECB3ECEE4EEF",
      "EF7AFD2270E2E60ADCE0BA2FACE6444E9A4B41BA738D6C72FB16691603C18E0E"
    ),
    (
      256, "F3EED1BDB5D2A03C064B5A7E3DB181F8591CCB10D410ED26DC5BA74A31362870",
      "B6ED21B99CA6F4F9F153E7B1BEAFED1D23304B7A39F9F3FF067D8D8F9E24ECC7"
    ),
  ])
  func `blocks by themselves are those of SP 800-38A`(bits: Int, first: String, last: String) {
    let aes = AES(key: Self.keys[bits]!)
    let encrypted = hex(first + last)
    #expect(aes.encrypt(Self.message) == encrypted)
    #expect(aes.decrypt(encrypted) == Self.message)
  }

  /// F.2.
  @Test(arguments: [
    (
      128, "7649ABAC8119B246CEE98E9B12E9197D5086CB9B507219EE95DB113A917678B2",
      "73BED6B8E3C1743B7116E69E222295163FF1CAA1681FAC09120ECA307586E1A7"
    ),
    (
      192, "4F021DB243BC633D7178183A9FA071E8B4D9ADA9AD7DEDF4E5E738763F69145A",
      "571B242012FB7AE07FA9BAAC3DF102E008B0E27988598881D920A9E64F5615CD"
    ),
    (
      256, "F58C4C04D6E5F1BA779EABFB5F7BFBD69CFC4E967EDB808D679F777BC6702C7D",
      "39F23369A9D9BACFA530E26304231461B2EB05E2C39BE9FCDA6C19078C6A9D1B"
    ),
  ])
  func `chained blocks are those of SP 800-38A`(bits: Int, first: String, last: String) {
    let aes = AES(key: Self.keys[bits]!)
    let encrypted = hex(first + last)
    #expect(aes.encryptChained(Self.message, initializationVector: Self.vector) == encrypted)
    #expect(aes.decryptChained(encrypted, initializationVector: Self.vector) == Self.message)
  }

  /// F.3.13 to F.3.18.
  @Test(arguments: [
    (
      128, "3B3FD92EB72DAD20333449F8E83CFB4AC8A64537A0B3A93FCDE3CDAD9F1CE58B",
      "26751F67A3CBB140B1808CF187A4F4DFC04B05357C5D1C0EEAC4C66F9FF7F2E6"
    ),
    (
      192, "CDC80D6FDDF18CAB34C25909C99A417467CE7F7F81173621961A2B70171D3D7A",
      "2E1E8A1DD59B88B1C8E60FED1EFAC4C9C05F9F9CA9834FA042AE8FBA584B09FF"
    ),
    (
      256, "DC7E84BFDA79164B7ECD8486985D386039FFED143B28B1C832113C6331E5407B",
      "DF10132415E54B92A13ED0A8267AE2F975A385741AB9CEF82031623D55B1E471"
    ),
  ])
  func `bytes that are fed back are those of SP 800-38A, of any part of a block`(
    bits: Int, first: String, last: String
  ) {
    let aes = AES(key: Self.keys[bits]!)
    let encrypted = hex(first + last)
    for count in [0, 1, 15, 16, 17, 64] {
      let (plain, sealed) = (Array(Self.message.prefix(count)), Array(encrypted.prefix(count)))
      #expect(aes.encryptFedBack(plain, initializationVector: Self.vector) == sealed)
      #expect(aes.decryptFedBack(sealed, initializationVector: Self.vector) == plain)
    }
  }

  /// F.5.
  @Test(arguments: [
    (
      128, "874D6191B620E3261BEF6864990DB6CE9806F66B7970FDFF8617187BB9FFFDFF",
      "5AE4DF3EDBD5D35E5B4F09020DB03EAB1E031DDA2FBE03D1792170A0F3009CEE"
    ),
    (
      192, "1ABC932417521CA24F2B0459FE7E6E0B090339EC0AA6FAEFD5CCC2C6F4CE8E94",
      "1E36B26BD1EBC670D1BD1D665620ABF74F78A7F6D29809585A97DAEC58C6B050"
    ),
    (
      256, "601EC313775789A5B7A7F504BBF3D228F443E3CA4D62B59ACA84E990CACAF5C5",
      "2B0930DAA23DE94CE87017BA2D84988DDFC9C58DB67AADA613C2DD08457941A6"
    ),
  ])
  func `the key stream is that of SP 800-38A, of any part of a block`(bits: Int, first: String, last: String)
  {
    let aes = AES(key: Self.keys[bits]!)
    let encrypted = hex(first + last)
    for count in [0, 1, 15, 16, 17, 64] {
      let part = Array(Self.message.prefix(count))
      #expect(aes.applyCounter(Self.counter, .bigEndian, to: part) == Array(encrypted.prefix(count)))
      #expect(aes.applyCounter(Self.counter, .bigEndian, to: Array(encrypted.prefix(count))) == part)
    }
  }

  /// Each block's counter by itself, as the mode is defined.
  @Test func `a little-endian counter counts up its first byte, and carries`() {
    let aes = AES(key: Self.keys[128]!)
    func counter(_ low: UInt8, _ high: UInt8, _ third: UInt8) -> [UInt8] {
      [low, high, third] + Array(repeating: 0, count: 13)
    }
    let stream = aes.encrypt(counter(0xFF, 0xFF, 0) + counter(0, 0, 1) + counter(1, 0, 1))
    let expected = zip(Self.message, stream).map { $0 ^ $1 }
    #expect(
      aes.applyCounter(counter(0xFF, 0xFF, 0), .littleEndian, to: Array(Self.message.prefix(48))) == expected)
  }

  @Test func `a counter of ones goes on with zero`() {
    let aes = AES(key: Self.keys[128]!)
    let (ones, zeros) = (Array(repeating: UInt8.max, count: 16), Array(repeating: UInt8(0), count: 16))
    let zeros48 = zeros + zeros + zeros
    let stream = aes.encrypt(ones + zeros)
    #expect(Array(aes.applyCounter(ones, .bigEndian, to: zeros48).prefix(32)) == stream)
    #expect(Array(aes.applyCounter(ones, .littleEndian, to: zeros48).prefix(32)) == stream)
  }
}

/// The codes that prove a message.
@Suite struct AuthenticationTests {
  /// RFC 4493, and NIST SP 800-38B appendix D.
  @Test(arguments: [
    (128, 0, "BB1D6929E95937287FA37D129B756746"), (128, 16, "070A16B46B4D4144F79BDD9DD04A287C"),
    (128, 40, "DFA66747DE9AE63030CA32611497C827"), (128, 64, "51F0BEBF7E3B9D92FC49741779363CFE"),
    (192, 0, "D17DDF46ADAACDE531CAC483DE7A9367"), (192, 16, "9E99A7BF31E710900662F65E617C5184"),
    (192, 40, "8A1DE5BE2EB31AAD089A82E6EE908B0E"), (192, 64, "A1D5DF0EED790F794D77589659F39A11"),
    (256, 0, "028962F61B7BF89EFC6B551F4667D983"), (256, 16, "28A7023F452E8F82BD4BF28D8C37C35C"),
    (256, 40, "AAF3D8F1DE5640C232F5B169B9C911E6"), (256, 64, "E1992190549F6ED5696A2C056C315410"),
  ])
  func `CMAC is that of RFC 4493 and SP 800-38B`(bits: Int, count: Int, code: String) {
    let aes = AES(key: AESTests.keys[bits]!)
    #expect(aes.messageCode(of: Array(AESTests.message.prefix(count))) == hex(code))
  }

  /// NIST SP 800-38C, appendix C: nonces, headers and bytes count up from 10, 00 and 20.
  @Test(arguments: [
    (7, 8, 4, 4, "7162015B4DAC255D"), (8, 16, 16, 6, "D2A1F0E051EA5F62081A7792073D593D1FC64FBFACCD"),
    (12, 20, 24, 8, "E3B201A9F5B71A7A9B1CEAECCD97E70B6176AAD9A4428AA5484392FBC1B09951"),
    (
      13, 65536, 32, 14,
      "69915DAD1E84C6376A68C2967E4DAB615AE0FD1FAEC44CC484828529463CCF72B4AC6BEC93E8598E7F0DADBCEA5B"
    ),
  ])
  func `CCM is that of SP 800-38C`(
    nonceSize: Int, headerSize: Int, size: Int, tagSize: Int, encrypted: String
  ) {
    let aes = AES(key: Array(0x40...0x4F))
    let nonce = (0..<nonceSize).map { 0x10 + UInt8($0) }
    let header = (0..<headerSize).map { UInt8(truncatingIfNeeded: $0) }
    let plain = (0..<size).map { 0x20 + UInt8($0) }
    let sealed = aes.encryptWithTag(plain, nonce: nonce, header: header, tagSize: tagSize)
    #expect(sealed == hex(encrypted))
    #expect(aes.decryptWithTag(sealed, nonce: nonce, header: header, tagSize: tagSize) == plain)
  }

  @Test func `a changed byte, header or nonce, and missing bytes, are noticed`() {
    let aes = AES(key: Array(0x40...0x4F))
    let nonce = Array<UInt8>(0..<12)
    let sealed = aes.encryptWithTag([1, 2, 3], nonce: nonce, header: [9], tagSize: 4)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(aes.decryptWithTag(changed, nonce: nonce, header: [9], tagSize: 4) == nil)
    }
    #expect(aes.decryptWithTag(sealed, nonce: nonce, header: [8], tagSize: 4) == nil)
    #expect(aes.decryptWithTag(sealed, nonce: nonce.reversed(), header: [9], tagSize: 4) == nil)
    for count in 0..<sealed.count {
      #expect(aes.decryptWithTag(Array(sealed.prefix(count)), nonce: nonce, header: [9], tagSize: 4) == nil)
    }
  }

  @Test func `nothing can be proved, too`() {
    let aes = AES(key: Array(0x40...0x4F))
    let nonce = Array<UInt8>(0..<13)
    let tag = aes.encryptWithTag([], nonce: nonce, header: [], tagSize: 16)
    #expect(tag.count == 16)
    #expect(aes.decryptWithTag(tag, nonce: nonce, header: [], tagSize: 16) == [])
  }
}
