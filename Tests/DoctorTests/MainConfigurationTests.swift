import Testing

@testable import Doctor

/// main.conf, as bluetoothd reads it.
@Suite struct MainConfigurationTests {
  private static let file = """
    # The settings of bluetoothd
    [General]
    Name = Desk

    # Defaults to 'true'.
    #ReverseServiceDiscovery = true

    [GATT]
    #Channels = 3
    ExchangeMTU=64

    """

  @Test func `a value is that of its section`() {
    let file = MainConfiguration(Self.file + "[General]\nName=Other\n")
    #expect(file.value("General", "Name") == "Other")
    #expect(file.value("GATT", "ExchangeMTU") == "64")
    #expect(file.value("GATT", "Name") == nil)
    #expect(file.value("GATT", "Channels") == nil)
  }

  @Test(
    arguments: [
      ("General", "DeviceID", ["false", "usb:1234:5678:abcd"], ["true", "no"]),
      ("GATT", "ExchangeMTU", ["23", "517"], ["22", "518", "large"]),
      ("General", "JustWorksRepairing", ["never", "always", "confirm"], ["yes"]),
    ] as [(String, String, [String], [String])])
  func `bluetoothd accepts some values`(section: String, key: String, good: [String], bad: [String]) throws {
    let known = try #require(KnownSetting.all.first { $0.section == section && $0.key == key })
    for value in good { #expect(known.accepts(value)) }
    for value in bad { #expect(!known.accepts(value)) }
  }
}
