import Testing

@testable import Bluetooth

@Suite struct OwnAddressTests {
  static let adapters = ["00:1A:7D:DA:71:13", "00:1A:7D:DA:71:14"].compactMap(DeviceAddress.init)

  @Test func `it depends on the device and on the adapter alone`() {
    let devices = ["HM-10", "HM-11", ""]
    let addresses = devices.flatMap { device in
      Self.adapters.map { OwnAddress.derived.address(of: device, on: $0) }
    }
    #expect(Set(addresses).count == 6)
    #expect(addresses.allSatisfy { OwnAddress($0.description) == .given($0) })
    // It must not change with a release: clients have stored it.
    #expect(addresses[0].description == "F0:56:91:00:81:06")
  }

  @Test(arguments: [
    ("random", true), ("public", true), ("C0:00:00:00:00:01", true), ("c0:00:00:00:00:01", true),
    ("FF:FF:FF:FF:FF:FE", true),
    ("C0:00:00:00:00:00", false), ("FF:FF:FF:FF:FF:FF", false), ("BF:00:00:00:00:01", false),
    ("00:1A:7D:DA:71:13", false), ("Random", false), ("", false), ("C0:00:00:00:01", false),
  ])
  func `it is static`(text: String, isValid: Bool) {
    #expect((OwnAddress(text) != nil) == isValid)
    #expect(!isValid || OwnAddress(text)?.description == (text.contains(":") ? text.uppercased() : text))
  }
}

@Suite struct RandomAddressTests {
  @Test(
    arguments: [
      ([0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC], "D2:34:56:78:9A:BC", "12:34:56:78:9A:BC"),
      ([0xFF, 0x00, 0x00, 0x00, 0x00, 0x00], "FF:00:00:00:00:00", "3F:00:00:00:00:00"),
      // Neither all 0 nor all 1.
      ([0x40, 0x00, 0x00, 0x00, 0x00, 0x00], "C0:00:00:00:00:01", "00:00:00:00:00:01"),
      ([0xBF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], "FF:FF:FF:FF:FF:FE", "3F:FF:FF:FF:FF:FE"),
    ] as [([UInt8], String, String)])
  func `the two highest bits tell the kind`(bytes: [UInt8], fixed: String, changing: String) throws {
    let address = try #require(DeviceAddress(static: bytes))
    let other = try #require(DeviceAddress(nonResolvable: bytes))
    #expect((address.description, address.randomKind) == (fixed, .static))
    #expect((other.description, other.randomKind) == (changing, .nonResolvable))
  }

  @Test func `it has six bytes, and a kind that is not reserved`() {
    #expect(DeviceAddress(static: [1, 2, 3, 4, 5]) == nil)
    #expect(DeviceAddress([0x7F, 0, 0, 0, 0, 0])?.randomKind == .resolvable)
    #expect(DeviceAddress([0x80, 0, 0, 0, 0, 0])?.randomKind == nil)
  }
}
