import Bluetooth
import Framing

extension Fault: CustomStringConvertible {
  /// The text that a person writes for it: `corrupt 2 bits out on serial every 3rd after 5s once`.
  package var description: String {
    var words = [kind.description]
    if let direction { words.append(direction.rawValue) }
    if let place { words.append("on \(place.name)") }
    if let message { words.append("message \(message.name)") }
    if let rate = rate.description { words.append(rate) }
    if let after { words.append("after \(after)") }
    if let duration { words.append("for \(Self.text(of: duration))") }
    if let state { words.append("while \(state)") }
    if let count { words.append(Self.text(ofCount: count)) }
    return words.joined(separator: " ")
  }

  private static func text(ofCount count: Int) -> String {
    switch count {
    case 1: "once"
    case 2: "twice"
    default: "\(count) times"
    }
  }

  /// `200ms`, `5s` or `2min`.
  static func text(of duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    guard attoseconds == 0 else { return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms" }
    return seconds > 0 && seconds % 60 == 0 ? "\(seconds / 60)min" : "\(seconds)s"
  }
}

extension Fault.Place {
  /// The id of the characteristic, or `wire`.
  package var name: String {
    switch self {
    case .characteristic(_, let id): id
    case .wire: "wire"
    }
  }
}

extension Fault.Amount: CustomStringConvertible {
  package var description: String {
    switch self {
    case .bytes(let count): count == 1 ? "1 byte" : "\(count) bytes"
    case .values(let count): count == 1 ? "1 value" : "\(count) values"
    case .frames(let count): count == 1 ? "1 frame" : "\(count) frames"
    case .time(let duration): Fault.text(of: duration)
    }
  }
}

extension Fault.Rate {
  fileprivate var description: String? {
    switch self {
    case .always: nil
    case .chance(let millionths): Self.percentage(of: millionths)
    case .every(let number): "every \(Self.ordinal(number))"
    case .period(let duration): "every \(Fault.text(of: duration))"
    }
  }

  /// `12.5%`
  private static func percentage(of millionths: Int) -> String {
    var digits = "\(millionths % 10_000 + 10_000)".dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(millionths / 10_000)" + (digits.isEmpty ? "" : ".\(digits)") + "%"
  }

  /// `3rd`
  private static func ordinal(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (_, 11...13): "\(number)th"
    case (1, _): "\(number)st"
    case (2, _): "\(number)nd"
    case (3, _): "\(number)rd"
    default: "\(number)th"
    }
  }
}

extension Fault.Kind: CustomStringConvertible {
  package var description: String {
    switch self {
    case .drop: "drop"
    case .duplicate: "duplicate"
    case .delay(let time, nil): "delay \(Fault.text(of: time))"
    case .delay(let time, let jitter?): "delay \(Fault.text(of: time)) jitter \(Fault.text(of: jitter))"
    case .reorder: "reorder"
    case .corrupt(let count, .bits): "corrupt \(count) \(count == 1 ? "bit" : "bits")"
    case .corrupt(let count, .bytes): "corrupt \(count) \(count == 1 ? "byte" : "bytes")"
    case .truncate(let size): "truncate to \(size) \(size == 1 ? "byte" : "bytes")"
    case .split(let count): "split into \(count) pieces"
    case .merge(let count): "merge \(count) values"
    case .stall(nil): "stall"
    case .stall(let time?): "stall \(Fault.text(of: time))"
    case .throttle(let speed): "throttle to \(speed) bytes/s"
    case .spoilChecksum: "spoil checksum"
    case .refuse(let error): "refuse \(error.name)"
    case .answer(nil): "answer never"
    case .answer(let time?): "answer \(Fault.text(of: time)) late"
    case .confirm(nil): "confirm never"
    case .confirm(let time?): "confirm \(Fault.text(of: time)) late"
    case .disconnect: "disconnect"
    case .reboot: "reboot"
    case .refuseConnections: "refuse connections"
    case .stopAdvertising: "stop advertising"
    case .advertise(let name): "advertise as \(Self.quoted(name))"
    case .garbleAdvertisement: "garble advertisement"
    case .vanish: "vanish"
    }
  }
}

extension Fault.Kind {
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", by: "\\\\").replacing("\"", by: "\\\"") + "\""
  }
}
