import Testing

@testable import Doctor

/// main.conf, read and edited.
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

  private func setting(_ section: String, _ key: String, _ value: String) -> String {
    MainConfiguration(Self.file).setting(MainConfiguration.Assignment(section, key, value)).text
  }

  @Test func `a value is that of its section`() {
    let file = MainConfiguration(Self.file + "[General]\nName=Other\n")
    #expect(file.value("General", "Name") == "Other")
    #expect(file.value("GATT", "ExchangeMTU") == "64")
    #expect(file.value("GATT", "Name") == nil)
    #expect(file.value("GATT", "Channels") == nil)
  }

  @Test func `an edit replaces a value`() {
    #expect(
      setting("GATT", "ExchangeMTU", "517") == Self.file.replacing("ExchangeMTU=64", by: "ExchangeMTU = 517"))
  }

  @Test func `an edit follows the comment with the default`() {
    #expect(
      setting("GATT", "Channels", "1")
        == Self.file.replacing("#Channels = 3", by: "#Channels = 3\nChannels = 1"))
  }

  @Test func `an edit begins its section`() {
    #expect(
      setting("General", "DeviceID", "false")
        == Self.file.replacing("[General]", by: "[General]\nDeviceID = false"))
  }

  @Test func `an edit adds a section`() {
    #expect(setting("Policy", "AutoEnable", "true") == Self.file + "\n[Policy]\nAutoEnable = true\n")
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

extension String {
  fileprivate func replacing(_ part: String, by other: String) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { $0 == part ? other : String($0) }
      .joined(separator: "\n")
  }
}
