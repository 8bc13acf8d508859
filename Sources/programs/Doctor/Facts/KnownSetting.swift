/// A key of main.conf that matters to a virtual peripheral, with the values that bluetoothd accepts (bluez: src/main.conf,
/// src/main.c). It ignores a wrong value, and uses its default.
struct KnownSetting {
  enum Values {
    case words([String])
    case number(ClosedRange<Int>)
    /// `false`, or a Device ID of several parts.
    case deviceID
  }

  let section: String
  let key: String
  let values: Values

  private static let boolean = Values.words(["true", "false"])

  static let all = [
    KnownSetting(section: "General", key: "DeviceID", values: .deviceID),
    KnownSetting(section: "General", key: "ReverseServiceDiscovery", values: boolean),
    KnownSetting(section: "General", key: "ControllerMode", values: .words(["dual", "bredr", "le"])),
    KnownSetting(
      section: "General", key: "JustWorksRepairing", values: .words(["never", "confirm", "always"])),
    KnownSetting(section: "GATT", key: "Cache", values: .words(["always", "yes", "no"])),
    KnownSetting(section: "GATT", key: "ExchangeMTU", values: .number(23...517)),
    KnownSetting(section: "General", key: "Testing", values: boolean),
    KnownSetting(
      section: "GATT", key: "Security",
      values: .words(["auto", "low", "1", "medium", "2", "high", "3", "fips", "4"])),
    KnownSetting(section: "GATT", key: "Channels", values: .number(1...5)),
    KnownSetting(section: "Policy", key: "AutoEnable", values: boolean),
  ]

  func accepts(_ value: String) -> Bool {
    switch values {
    case .words(let words): words.contains(value)
    case .number(let range): Int(value).map(range.contains) ?? false
    case .deviceID: value == "false" || value.split(separator: ":").count >= 3
    }
  }

  /// For messages.
  var accepted: String {
    switch values {
    case .words(let words): words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
    case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .deviceID: "false, or parts as in usb:1234:5678:abcd"
    }
  }
}
