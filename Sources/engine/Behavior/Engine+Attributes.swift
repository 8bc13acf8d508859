import Bluetooth
import DeviceModel

/// The values of a device's attributes: of each the last one written or sent, initially that of the definition.
struct AttributeValues: Sendable {
  /// By characteristic.
  private(set) var values: [[UInt8]]
  /// By characteristic and descriptor.
  private var descriptors: [[[UInt8]]]

  /// - Throws: ``EvaluationError`` or ``EncodingError`` if an initial value has no bytes.
  init(_ definition: PeripheralDefinition, in context: EvaluationContext) throws {
    let limit = CharacteristicDefinition.maximumValueSize
    values = try definition.characteristics.map { try $0.value.render(in: context, limit: limit) }
    descriptors = try definition.characteristics.map {
      try $0.descriptors.map { try $0.value.render(in: context, limit: limit) }
    }
  }

  subscript(attribute: AttributeReference) -> [UInt8] {
    get {
      switch attribute {
      case .characteristic(let index): values[index]
      case .descriptor(let index, let characteristic): descriptors[characteristic][index]
      }
    }
    set {
      switch attribute {
      case .characteristic(let index): values[index] = newValue
      case .descriptor(let index, let characteristic): descriptors[characteristic][index] = newValue
      }
    }
  }
}

/// Reads and writes.
extension Engine {
  /// A rule may answer or refuse; otherwise the attribute's value is the answer.
  mutating func read(_ attribute: AttributeReference, _ offset: Int, by central: Central?) {
    turn.awaitsAnswer = true
    if lookup.hasRules(for: .read(attribute)) {
      fire(.read(attribute), by: central, on: .characteristic(attribute.characteristic)) {
        $0.offset = Int64(offset)
      }
    }
    guard turn.awaitsAnswer else { return }
    if definition.isRelayed { return relay(.readRequested(central, attribute, offset: offset)) }
    if isLive(attribute) { refresh(attribute) }
    answer(attributes[attribute], from: offset)
  }

  /// Answers a read with a value from an offset on.
  mutating func answer(_ value: [UInt8], from offset: Int) {
    turn.respond(
      offset <= value.count
        ? .value(offset == 0 ? value : Array(value[offset...])) : .refused(.invalidOffset))
  }

  /// - Parameter handle: that which the error names; nil: that of the request.
  mutating func refuse(_ error: ATTError, handle: AttributeHandle? = nil) {
    turn.respond(.refused(error, handle: handle))
  }

  /// A rule may refuse; otherwise the value is stored and then handled as received bytes.
  mutating func write(
    _ bytes: [UInt8], to attribute: AttributeReference, _ offset: Int, _ kind: WriteKind?,
    by central: Central?
  ) {
    turn.respond(.accepted)
    turn.isAwaited = kind != .command
    if kind == .prepared {
      _ = rulesAccept(bytes, .written(attribute), on: attribute.characteristic, offset, from: central)
      return
    }
    // Of a relay, the device behind it knows the size.
    let size = definition.isRelayed ? offset : attributes[attribute].count
    if let error = Self.error(writing: bytes.count, at: offset, of: size) { return refuse(error) }
    let haveDecided =
      kind == .reliable && definition.characteristics[attribute.characteristic].prepared == .each
    guard
      haveDecided
        || rulesAccept(bytes, .written(attribute), on: attribute.characteristic, offset, from: central)
    else { return }
    if postpones(.perform(.writeRequested(central, attribute, value: bytes, offset: offset, kind))) { return }
    accept(bytes, attribute, offset, kind, by: central)
  }

  /// Stores a write that no rule refuses, and handles it as received bytes.
  mutating func accept(
    _ bytes: [UInt8], _ attribute: AttributeReference, _ offset: Int, _ kind: WriteKind?, by central: Central?
  ) {
    let key: StreamKey? =
      if case .characteristic(let index) = attribute {
        StreamKey(central: central, endpoint: .characteristic(index))
      } else {
        nil
      }
    if definition.isRelayed {
      let event = Event.writeRequested(central, attribute, value: bytes, offset: offset, kind)
      if let key { relayed.add(event, on: key) } else { relay(event) }
    } else {
      store(bytes, in: attribute, at: offset, kind)
    }
    if let key { receive(bytes, on: key) }
  }

  /// Stores a written value. A Write Request and a Write Command replace the value (Vol 3 Part F 3.4.5). A prepared write
  /// replaces as many bytes as it has, and those after them stay, as in BlueZ and most devices (3.4.6). So does any write with
  /// an offset: BlueZ does not report which writes were prepared.
  mutating func store(
    _ bytes: [UInt8], in attribute: AttributeReference, at offset: Int, _ kind: WriteKind?
  ) {
    if isLive(attribute) { return }
    guard offset > 0 || kind == .reliable else { return attributes[attribute] = bytes }
    let old = attributes[attribute]
    attributes[attribute] = old[..<offset] + bytes + old.dropFirst(offset + bytes.count)
  }

  /// Why so many bytes cannot be written into a value of this size; nil: they can.
  static func error(writing count: Int, at offset: Int, of size: Int) -> ATTError? {
    if offset > size { return .invalidOffset }
    return offset + count > CharacteristicDefinition.maximumValueSize ? .invalidAttributeValueLength : nil
  }

  /// Fires the rule for a write; returns whether the write continues: not if the rule refuses or resets the device.
  mutating func rulesAccept(
    _ bytes: [UInt8], _ trigger: Rule.Trigger, on characteristic: Int, _ offset: Int, from central: Central?
  ) -> Bool {
    guard lookup.hasRules(for: trigger) else { return true }
    turn.awaitsAnswer = true
    fire(trigger, by: central, on: .characteristic(characteristic)) {
      ($0.bytes, $0.offset) = (bytes, Int64(offset))
    }
    defer { turn.awaitsAnswer = false }
    return turn.awaitsAnswer && !turn.hasReset
  }

  /// The present value of an attribute.
  package func value(of attribute: AttributeReference) -> [UInt8] {
    (isLive(attribute) ? try? liveValue(of: attribute) : nil) ?? attributes[attribute]
  }

  /// - Parameters:
  ///   - message: the index of the message, if the bytes are one with a name.
  ///   - central: the only central that gets them; nil: all subscribers, or all that have opened the channel.
  mutating func send(
    _ bytes: [UInt8], to endpoint: Endpoint, message: Int? = nil, for central: Central? = nil
  ) {
    switch endpoint {
    case .wire: turn.actions.append(.writeToWire(bytes, message: message))
    case .characteristic(let index):
      let limit = definition.link.maximumValue ?? CharacteristicDefinition.maximumValueSize
      attributes[.characteristic(index)] = bytes.count > limit ? Array(bytes.suffix(limit)) : bytes
      turn.actions.append(.notify(characteristic: index, bytes, message: message, to: central))
    case .channel(let index):
      turn.actions.append(.transmit(channel: index, bytes, message: message, to: central))
    case .layer: preconditionFailure("a rule sends what goes into a layer")
    case .sought(let index):
      turn.actions.append(.request(.write(index, bytes, message: message), of: central))
    }
  }
}
