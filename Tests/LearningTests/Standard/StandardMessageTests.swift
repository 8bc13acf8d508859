import Bluetooth
import DefinitionWriter
import Definitions
import DeviceModel
import Learning
import TestSupport
import Testing

@Suite struct StandardMessageTests {
  @Test func `every template is one of the language`() {
    for message in StandardMessages.all {
      #expect(message.compiled != nil, "\(message.name): \(message.template)")
    }
  }

  @Test func `no two have the same name`() {
    let names = Dictionary(grouping: StandardMessages.all, by: \.name).filter { $0.value.count > 1 }
    #expect(names.isEmpty, "\(names.keys)")
  }

  @Test func `a definition with all of them loads`() {
    let messages = StandardMessages.all.map { "  \($0.name): \"\($0.template)\"" }.joined(separator: "\n")
    let text =
      "blemu: 1\nname: All\nservices: [{ uuid: FFE0, characteristics: [] }]\nmessages:\n\(messages)\n"
    let loaded = DefinitionLoader.load(
      SourceText(name: "all.yaml", text: text), folder: MemoryFolder(files: [:]))
    #expect(loaded.definition != nil, "\(loaded.report)")
  }

  /// Values with what they say, dissected by hand from the specifications' tables.
  static let values: [(BluetoothUUID, ValueStream.Direction, String, String)] = [
    (0x2A37, .fromDevice, "00 48", "heart-rate"),
    (0x2A37, .fromDevice, "1E 48 10 00 00 04", "heart-rate"),  // worn, 16 kJ, an interval of 1 s
    (0x2A37, .fromDevice, "01 2C 01", "heart-rate"),  // 300 a minute
    (0x2A19, .fromDevice, "64", "battery-level"),
    (0x2A1C, .fromDevice, "06 6E 01 00 FF EA 07 0B 1B 01 02 03 02", "body-temperature"),  // 36.6 °C
    (0x2A35, .fromDevice, "1E 78 00 50 00 5D 00 EA 07 0B 1B 01 02 03 48 00 01 06 00", "blood-pressure"),
    (0x2A53, .fromDevice, "07 00 03 B4 78 00 E8 03 00 00", "run"),
    (0x2A5B, .fromDevice, "03 01 00 00 00 00 04 02 00 00 08", "cycling"),
    (0x2A63, .fromDevice, "23 00 C8 00 64 0A 00 00 04", "power"),
    (0x2A63, .fromDevice, "00 0A C8 00 2D 00 10 00", "power"),  // the top dead spot at 45°, 16 kJ
    (0x2A66, .fromCentral, "04 59 01", "set-crank-length"),
    (0x2A66, .fromDevice, "20 05 01 59 01", "power-answer"),
    (0x2ACD, .fromDevice, "84 04 E8 03 10 27 00 05 00 FF FF FF 3C 00", "treadmill"),
    (0x2ACD, .fromDevice, "01 01 78", "treadmill-begins"),  // only the heart rate
    (0x2ACE, .fromDevice, "08 80 00 E8 03 78 00 70 00", "cross-trainer"),
    (0x2AD1, .fromDevice, "2C 00 30 0A 00 64 00 00 78 00 96 00", "rower"),
    (0x2AD2, .fromDevice, "44 00 C4 09 B4 00 96 00", "bike"),
    (0x2AD2, .fromDevice, "75 02 B4 00 10 00 00 0A 00 96 00 78", "bike-begins"),
    (0x2AD3, .fromDevice, "01 0D 52 75 6E", "training-status"),
    (0x2AD9, .fromCentral, "02 E8 03", "set-speed"),
    (0x2AD9, .fromDevice, "80 02 01", "machine-answer"),
    (0x2ADA, .fromDevice, "05 E8 03", "has-speed"),
    (0x2A9D, .fromDevice, "0E E0 2E EA 07 0B 1B 01 02 03 01 E6 00 08 07", "weight"),
    (0x2A5F, .fromDevice, "04 61 00 48 00 20 01", "oxygen"),
    (0x2AA7, .fromDevice, "06 00 78 00 05 00", "glucose-level"),
    (0x2A52, .fromCentral, "01 03 01 05 00", "records-from"),
    (0x2A52, .fromDevice, "06 00 01 06", "records-answer"),
    (0x2A2B, .fromDevice, "EA 07 0B 1B 01 02 03 05 80 00", "current-time"),
    (0x2A6E, .fromDevice, "9C FF", "temperature"),
  ]

  @Test(arguments: values) func `a value is its message`(
    uuid: BluetoothUUID, direction: ValueStream.Direction, value: String, name: String
  ) {
    let found = StandardMessages.messages(for: uuid, direction).first { $0.matches(bytes(value)) }
    #expect(found?.name == name, "\(uuid) \(value)")
  }

  @Test func `a value with reserved bits or a wrong size is none`() {
    for value in ["84 48", "01 48", "00 48 00", ""] {
      #expect(
        !StandardMessages.messages(for: 0x2A37, .fromDevice).contains { $0.matches(bytes(value)) }, "\(value)"
      )
    }
  }

  @Test func `a decimal is written with the exponent that the device uses`() throws {
    let temperature = try #require(StandardMessages.messages(for: 0x2A1C, .fromDevice).first)
    // 37.0 as 370 · 10⁻¹, and not a number.
    let fitted = temperature.fitted(to: [bytes("00 72 01 00 FF"), bytes("00 FF FF 7F 00")])
    #expect(fitted?.template.contains("{degrees: float(-1)}") == true)
    #expect(temperature.fitted(to: [bytes("00 25 00 00 00")]) == temperature)
    // 370 · 10⁻¹ and 3700 · 10⁻²: no exponent for both.
    #expect(temperature.fitted(to: [bytes("00 72 01 00 FF"), bytes("00 74 0E 00 FE")]) == nil)
  }
}
