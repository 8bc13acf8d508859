import Bluetooth
import Captures
import Framing
import Glibc

/// Which device of some recordings is meant.
struct CapturedDeviceChoice {
  /// In the order of the list.
  let devices: [CapturedDevice]

  /// The devices of several recordings. Those with one address are one device, as are those that had a link already.
  init(_ captures: [Capture]) {
    var devices: [CapturedDevice] = []
    for device in captures.flatMap(\.devices) {
      if let index = devices.firstIndex(where: { $0.address == device.address }) {
        devices[index].advertisements += device.advertisements
        devices[index].connections += device.connections
      } else {
        devices.append(device)
      }
    }
    // Devices with links first, each group in the order of its appearance.
    self.devices =
      devices.filter { !$0.connections.isEmpty } + devices.filter(\.connections.isEmpty)
  }

  /// The device with an address, or with a number of the list.
  ///
  /// - Parameter word: nil: the only one with a link or, without links, the only one at all.
  /// - Throws: an error with the list where the choice is not clear.
  func choose(_ word: String?, in files: String) throws(CommandError) -> CapturedDevice {
    guard !devices.isEmpty else {
      throw CommandError(
        .badDefinition, "no Bluetooth LE device in \(files): no advertising and no connection",
        "record while the app connects to the device; 'blemu help learn' names the formats")
    }
    if let word {
      if let found = devices.first(where: { $0.address.map { "\($0.address)" } == word.uppercased() }) {
        return found
      }
      if let number = Int(word), devices.indices.contains(number - 1) {
        return devices[number - 1]
      }
      throw CommandError(
        .usage, "the recording has no device '\(word)'", "it has:\n" + lines.joined(separator: "\n"))
    }
    let linked = devices.filter { !$0.connections.isEmpty }
    if linked.count == 1 { return linked[0] }
    if devices.count == 1 { return devices[0] }
    return try ask()
  }

  /// Asks on a terminal.
  private func ask() throws(CommandError) -> CapturedDevice {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { throw .severalDevices(lines) }
    Terminal.printError(lines.map { $0 + "\n" }.joined() + "device (1 to \(devices.count)): ")
    guard let line = readLine(), let number = Int(line.trimmed), devices.indices.contains(number - 1) else {
      throw .severalDevices(lines)
    }
    return devices[number - 1]
  }

  /// One line for each device:
  ///
  ///     1  C8:B2:1E:4A:00:01  "HORIZON_7.4AT"  1 link, 1,659 PDUs
  var lines: [String] {
    devices.enumerated().map { number, device in
      let name = device.advertisedName.map { "  \"\(PrintableText.escape(Array($0.utf8)))\"" } ?? ""
      let links = device.connections.count
      let pdus = device.connections.reduce(0) { $0 + $1.pduCount }
      let said =
        links == 0
        ? "advertises only"
        : "\(links) \(links == 1 ? "link" : "links"), \(pdus) \(pdus == 1 ? "PDU" : "PDUs")"
      return "  \(number + 1)  \(device.addressText)\(name)  \(said)"
    }
  }
}

extension CapturedDevice {
  /// The complete or shortened local name that it advertised.
  var advertisedName: String? {
    for data in advertisements.lazy.compactMap(\.data) {
      let names = AdvertisingData(parsing: data).structures.filter {
        $0.type == .completeLocalName || $0.type == .shortenedLocalName
      }
      if let name = names.first { return String(decoding: name.value, as: UTF8.self) }
    }
    return nil
  }

  /// Its address, or that it is not known.
  var addressText: String { address.map { "\($0.address)" } ?? "address unknown  " }
}

extension CapturedConnection {
  /// The ATT PDUs.
  fileprivate var pduCount: Int {
    events.count { if case .attribute = $0.kind { true } else { false } }
  }
}

extension CommandError {
  static func badRecording(_ error: CaptureFileError) -> Self {
    Self(error.reason == .missing ? .noDefinition : .badDefinition, error.description)
  }

  fileprivate static func severalDevices(_ lines: [String]) -> Self {
    Self(
      .usage, "the recording has \(lines.count) devices:\n" + lines.joined(separator: "\n"),
      "choose one with --device ADDRESS or --device NUMBER")
  }

}
