import Bluetooth

/// Formats the known properties of a link for people.
extension LinkDescription {
  var words: String {
    let address = privateAddress.map { "private address \($0)" }
    return [
      address ?? (addressKind == .public ? "public address" : "random address"), parameters?.words,
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension LinkChange {
  var words: String {
    [
      parameters?.words, phys.map(Self.words),
      packetSizes.map { "packets of up to \($0.sent) bytes out, \($0.received) in" },
      rssi.map { "RSSI \($0) dBm" },
    ].compactMap(\.self).joined(separator: ", ")
  }

  private static func words(_ phys: Directions<PHY>) -> String {
    phys.sent == phys.received ? "\(phys.sent)" : "\(phys.sent) out, \(phys.received) in"
  }
}

extension HCIError {
  /// The note on the end of a link; nil: it is an ordinary disconnection.
  var note: String? {
    switch self {
    case .remoteUserTerminated: nil
    case .localHost: "by this side"
    default: words ?? description
    }
  }
}

extension ConnectionParameters {
  var words: String {
    "interval \(DecimalText.hundredths(intervalHundredths)) ms, latency \(latency), "
      + "timeout \(Int(supervisionTimeout) * 10) ms"
  }

  /// The interval in hundredths of a millisecond.
  var intervalHundredths: Int { Int(interval) * 125 }
}

enum DecimalText {
  /// A number without trailing zeros, as in `48.75`, `7.5`, `30`.
  static func hundredths(_ number: Int) -> String {
    let (whole, rest) = number.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
