/// How a GATT server sends a value unasked, as the client chooses in the characteristic's CCCD (Vol 3 Part G 3.3.3.3).
package enum Delivery: String, Hashable, Sendable {
  /// Handle Value Notification: nobody confirms it.
  case notification
  /// Handle Value Indication: the client confirms it, and there is one at a time on a link.
  case indication
}

extension CharacteristicProperties {
  /// What a client asks for that wants values as they come: a notification where there is one. nil: it can ask for none.
  package var delivery: Delivery? {
    contains(.notify) ? .notification : contains(.indicate) ? .indication : nil
  }
}
