/// How a GATT server sends values to a subscribed client, which chooses in the CCCD (Vol 3 Part G 3.3.3.3).
package enum Delivery: String, Hashable, Sendable {
  /// Handle Value Notification: not confirmed.
  case notification
  /// Handle Value Indication: the client confirms it, and a link carries one at a time.
  case indication
}

extension CharacteristicProperties {
  /// The delivery that a client usually chooses: notification if possible; nil if neither is possible.
  package var delivery: Delivery? {
    contains(.notify) ? .notification : contains(.indicate) ? .indication : nil
  }
}
