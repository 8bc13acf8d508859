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

  @Test func `a line may end with a carriage return`() {
    let file = MainConfiguration("[GATT]\r\nChannels = 2\r\n")
    #expect(file.value("GATT", "Channels") == "2" && file.mistake == nil)
  }

  /// Compared with GLib 2.74 and its `g_key_file_load_from_data()`.
  @Test(
    arguments: [
      ("", nil), ("# a\n\n [General]\t\n Name = a = b\nName[de] = c\n#x\nEmpty=\n", nil), ("[a b]\n", nil),
      ("[General]\nName\n", 2), ("[General]\n= x\n", 2), ("[General]\nName: x\n", 2), ("; x\n", 1),
      ("Name = x\n", 1),
      ("[General] # x\n", 1), ("[General\n", 1), ("[]\n", 1), ("[a[b]\n", 1), ("[G]\nA]b = x\n", 2),
      ("[G]\nA[b = x\n", 2), ("[G]\nA [b] = x\n", 2), ("[G]\n[x] y = z\n", 2), ("[G]\n\nA = b\n\tC\n", 4),
    ] as [(String, Int?)])
  func `a line that is wrong makes bluetoothd drop the file`(text: String, line: Int?) {
    #expect(MainConfiguration(text).mistake?.line == line)
  }

  @Test(
    arguments: [
      ("General", "DeviceID", ["false", "usb:1234:5678:abcd"], ["true", "no"]),
      ("GATT", "ExchangeMTU", ["23", "517"], ["22", "518", "large"]),
      ("GATT", "Security", ["auto", "low", "4"], ["5", "none"]),
      ("General", "JustWorksRepairing", ["never", "always", "confirm"], ["yes"]),
    ] as [(String, String, [String], [String])])
  func `bluetoothd accepts some values`(section: String, key: String, good: [String], bad: [String]) throws {
    let known = try #require(KnownSetting.all.first { $0.section == section && $0.key == key })
    for value in good { #expect(known.accepts(value)) }
    for value in bad { #expect(!known.accepts(value)) }
  }
}
