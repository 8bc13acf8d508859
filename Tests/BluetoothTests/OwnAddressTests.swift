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
    ("random", true), ("C0:00:00:00:00:01", true), ("c0:00:00:00:00:01", true), ("FF:FF:FF:FF:FF:FE", true),
    ("C0:00:00:00:00:00", false), ("FF:FF:FF:FF:FF:FF", false), ("BF:00:00:00:00:01", false),
    ("00:1A:7D:DA:71:13", false), ("Random", false), ("", false), ("C0:00:00:00:01", false),
  ])
  func `it is static`(text: String, isValid: Bool) {
    #expect((OwnAddress(text) != nil) == isValid)
    #expect(!isValid || OwnAddress(text)?.description == (text == "random" ? text : text.uppercased()))
  }
}
