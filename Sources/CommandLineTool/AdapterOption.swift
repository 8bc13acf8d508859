import BlueZ

/// `bluez`, `bluez:hci0` or `bluez:00:1A:7D:DA:71:13` behind an option.
enum AdapterOption {
  static func parse(_ text: String, of option: String) throws(CommandError) -> AdapterChoice {
    if text == "bluez" { return .first }
    if text.hasPrefix("bluez:"), let choice = AdapterChoice(String(text.dropFirst(6))) { return choice }
    let forms = "bluez, bluez:hci0 or bluez:00:1A:7D:DA:71:13"
    throw .badValue(
      option: option, value: text,
      expected: AdapterChoice(text) == nil ? forms : "did you mean 'bluez:\(text)'?")
  }
}
