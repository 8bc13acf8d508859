import Bluetooth

/// What a survey knows of the attributes of a device so far.
struct SurveyedAttributes: Sendable {
  /// The handles of all attributes with their types.
  var types: [AttributeHandle: BluetoothUUID] = [:]
  /// The characteristics, by the handles of their values.
  var characteristics: [AttributeHandle: CharacteristicProperties] = [:]
  /// The values that were read.
  var values: [AttributeHandle: [UInt8]] = [:]
  /// What was refused for want of security.
  var unreadable: Set<AttributeHandle> = []
  var unwritable: Set<AttributeHandle> = []
  var unsubscribed: [AttributeHandle: Delivery] = [:]
  /// The steps at which the link has ended once.
  var lostSteps: Set<SurveyStep> = []

  /// More attributes are no device, but a program that answers anything.
  static let most = 4096

  /// The attributes whose values are read, in order: all but declarations.
  var readable: [AttributeHandle] {
    let known = Set(types.keys).union(characteristics.keys)
    return known.filter { !Self.declarations.contains(types[$0] ?? 0) }.sorted().prefix(Self.most)
      .map(\.self)
  }

  /// The attributes of which only trying tells whether they can be written. Of a CCCD, subscribing tells, and of Extended Properties
  /// the specification does; Client Supported Features belong to the central.
  var maybeWritable: [AttributeHandle] {
    readable.filter { handle in
      if [0x2900, 0x2902, 0x2B29].contains(types[handle] ?? 0) { return false }
      guard let properties = characteristics[handle] else { return true }
      return !properties.isDisjoint(with: [.write, .writeWithoutResponse])
    }
  }

  /// The CCCDs with what to subscribe to: notifications if there is the choice. Each belongs to the characteristic before it.
  var subscriptions: [AttributeHandle: Delivery] {
    var subscriptions: [AttributeHandle: Delivery] = [:]
    for (handle, type) in types where type == 0x2902 {
      let characteristic = characteristics.filter { $0.key < handle }.max { $0.key < $1.key }
      subscriptions[handle] = characteristic?.value.delivery
    }
    return subscriptions
  }

  private static let declarations: Set<BluetoothUUID> = [0x2800, 0x2801, 0x2802, 0x2803]
}
