import Bluetooth
import Framing

/// A value that somebody sends from outside, before it goes out.
package struct SentValue: Hashable, Sendable {
  /// The characteristic or `wire`.
  package var place: String
  /// As they are before they are encoded.
  package var bytes: [UInt8]
  /// The name of the message that it is, if it was sent by that.
  package var message: String?
  /// The only central that gets it; nil: all that have subscribed.
  package var central: DeviceAddress?

  package init(_ bytes: [UInt8], from place: String, message: String? = nil, to central: DeviceAddress? = nil)
  {
    (self.bytes, self.place, self.message, self.central) = (bytes, place, message, central)
  }

  /// `send switch 81 02`
  package var words: String {
    let value = bytes.isEmpty ? "\"\"" : HexText.format(bytes)
    return "send \(place) \(value)" + (central.map { " to \($0)" } ?? "")
  }
}
