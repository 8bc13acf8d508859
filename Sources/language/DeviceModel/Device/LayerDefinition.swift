import Framing

/// A place without an attribute, between the characteristics and the rules for whole messages.
///
/// Rules hand it what they have joined or decrypted, and other rules send on what goes out of it.
package struct LayerDefinition: Sendable {
  package var name: String
  /// How the bytes that rules hand to it become frames; nil: each value is one.
  package var framing: FramingRule?
  /// How its bytes are encoded further out; nil: they are not encoded.
  package var coding: StreamCoding?

  package init(name: String) { self.name = name }

  /// The most layers of a device. What goes out of one may go out through each of the others.
  package static let most = 16
}
