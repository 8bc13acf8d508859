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
    if let duration { words.append("for \(duration.written)") }
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
}

extension Fault.Place {
  /// The id of the characteristic or channel, the name of the layer, `wire`, or the name of a place of requests.
  package var name: String {
    switch self {
    case .characteristic(_, let id), .channel(_, let id), .layer(_, let id): id
    case .wire: "wire"
    case .request(_, let name): name
    }
  }
}

extension Fault.Amount: CustomStringConvertible {
  package var description: String {
    switch self {
    case .bytes(let count): count == 1 ? "1 byte" : "\(count) bytes"
    case .values(let count): count == 1 ? "1 value" : "\(count) values"
    case .frames(let count): count == 1 ? "1 frame" : "\(count) frames"
    case .time(let duration): duration.written
    }
  }
}

extension Fault.Rate {
  fileprivate var description: String? {
    switch self {
    case .always: nil
    case .chance(let millionths): Self.percentage(of: millionths)
    case .every(let number): "every \(Self.ordinal(number))"
    case .period(let duration): "every \(duration.written)"
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
    case .delay(let time, nil): "delay \(time.written)"
    case .delay(let time, let jitter?): "delay \(time.written) jitter \(jitter.written)"
    case .reorder: "reorder"
    case .corrupt(let count, .bits): "corrupt \(count) \(count == 1 ? "bit" : "bits")"
    case .corrupt(let count, .bytes): "corrupt \(count) \(count == 1 ? "byte" : "bytes")"
    case .truncate(let size): "truncate to \(size) \(size == 1 ? "byte" : "bytes")"
    case .split(let count): "split into \(count) pieces"
    case .merge(let count): "merge \(count) values"
    case .stall(nil): "stall"
    case .stall(let time?): "stall \(time.written)"
    case .throttle(let speed, nil): "throttle to \(speed) bytes/s"
    case .throttle(let speed, let buffer?): "throttle to \(speed) bytes/s, \(buffer) bytes"
    case .spoilChecksum: "spoil checksum"
    case .refuse(let error, nil): "refuse \(error.name)"
    case .refuse(let error, let handle?): "refuse \(error.name) handle 0x\(handle.hexadecimal(digits: 4))"
    case .answer(nil): "answer never"
    case .answer(let time?): "answer \(time.written) late"
    case .confirm(nil): "confirm never"
    case .confirm(let time?): "confirm \(time.written) late"
    case .refuseParameters: "refuse parameters"
    case .ignoreParameters: "ignore parameters"
    case .failPairing(let reason, at: .pairingResponse): "fail pairing \(reason.name)"
    case .failPairing(let reason, let step): "fail pairing \(reason.name) at \(step.rawValue)"
    case .spoilConfirm: "spoil confirm-value"
    case .person(.answers(late: nil)): "person answers never"
    case .person(.answers(late: let time?)): "person answers \(time.written) late"
    case .person(.refuses): "person refuses"
    case .person(.types(let passkey)): "person types \(Passkey.text(of: passkey))"
    case .refuseEncryption: "refuse encryption"
    case .disconnect: "disconnect"
    case .loseLink: "lose link"
    case .reboot: "reboot"
    case .refuseConnections: "refuse connections"
    case .stopAdvertising: "stop advertising"
    case .advertise(let name): "advertise as \(Self.quoted(name))"
    case .garbleAdvertisement: "garble advertisement"
    case .vanish: "vanish"
    case .fade(let rssi): "fade to \(rssi) dBm"
    case .losePackets(let percent): "lose \(percent)% of packets"
    case .leaveRange: "leave range"
    }
  }
}

extension Fault.Kind {
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", by: "\\\\").replacing("\"", by: "\\\"") + "\""
  }
}
