import Bluetooth
import DeviceModel

/// Reads and writes.
extension Engine {
  /// A rule may answer or refuse; otherwise the attribute's value is the answer.
  mutating func read(_ attribute: AttributeReference, _ offset: Int, by central: Central?) {
    awaitsAnswer = true
    if lookup.hasRules(for: .read(attribute)) {
      var event = EventValues()
      event.offset = Int64(offset)
      fire(.read(attribute), event, by: central, on: .characteristic(attribute.characteristic))
    }
    if awaitsAnswer { answer(self[attribute], from: offset) }
  }

  /// Answers a read with a value from an offset on.
  mutating func answer(_ value: [UInt8], from offset: Int) {
    awaitsAnswer = false
    response =
      offset <= value.count
      ? .value(offset == 0 ? value : Array(value[offset...])) : .refused(.invalidOffset)
  }

  mutating func refuse(_ error: ATTError) {
    awaitsAnswer = false
    response = .refused(error)
  }

  /// A rule may refuse; otherwise the value is stored and then handled as received bytes.
  mutating func write(
    _ bytes: [UInt8], to attribute: AttributeReference, _ offset: Int, by central: Central?
  ) {
    response = .accepted
    if let error = Self.error(writing: bytes.count, at: offset, of: self[attribute].count) {
      return refuse(error)
    }
    guard rulesAccept(bytes, .written(attribute), on: attribute.characteristic, offset, from: central) else {
      return
    }
    self[attribute] = offset == 0 ? bytes : self[attribute][..<offset] + bytes
    guard case .characteristic(let index) = attribute else { return }
    receive(bytes, on: StreamKey(central: central, endpoint: .characteristic(index)))
  }

  /// Why so many bytes cannot be written into a value of this size; nil: they can.
  static func error(writing count: Int, at offset: Int, of size: Int) -> ATTError? {
    if offset > size { return .invalidOffset }
    return offset + count > CharacteristicDefinition.maximumValueSize ? .invalidAttributeValueLength : nil
  }

  /// Fires the rule for a write; returns whether the write continues, which it does not after a reset.
  mutating func rulesAccept(
    _ bytes: [UInt8], _ trigger: Rule.Trigger, on characteristic: Int, _ offset: Int, from central: Central?
  ) -> Bool {
    guard lookup.hasRules(for: trigger) else { return true }
    awaitsAnswer = true
    var event = EventValues()
    event.bytes = bytes
    event.offset = Int64(offset)
    fire(trigger, event, by: central, on: .characteristic(characteristic))
    defer { awaitsAnswer = false }
    return awaitsAnswer && !hasReset
  }

  /// The present value of an attribute.
  package func value(of attribute: AttributeReference) -> [UInt8] { self[attribute] }

  /// An attribute's value: the last one written or sent, initially that of the definition.
  subscript(attribute: AttributeReference) -> [UInt8] {
    get {
      switch attribute {
      case .characteristic(let index): values[index]
      case .descriptor(let index, let characteristic): descriptorValues[characteristic][index]
      }
    }
    set {
      switch attribute {
      case .characteristic(let index): values[index] = newValue
      case .descriptor(let index, let characteristic): descriptorValues[characteristic][index] = newValue
      }
    }
  }

  /// - Parameters:
  ///   - message: the index of the message that the bytes are, if it has a name.
  ///   - central: the only subscriber that gets them; nil: all do.
  mutating func send(
    _ bytes: [UInt8], to endpoint: Endpoint, message: Int? = nil, for central: Central? = nil
  ) {
    switch endpoint {
    case .wire: actions.append(.writeToWire(bytes, message: message))
    case .characteristic(let index):
      let limit = definition.link.maximumValue ?? CharacteristicDefinition.maximumValueSize
      values[index] = bytes.count > limit ? Array(bytes.suffix(limit)) : bytes
      actions.append(.notify(characteristic: index, bytes, message: message, to: central))
    }
  }
}
