import Behavior
import Bluetooth
import Definitions
import DeviceModel

extension LineParser {
  /// Reads the words after the first one.
  func action(_ form: Form, _ first: Token, _ words: inout Words) throws(Diagnostic) -> Step.Action {
    switch form {
    case .connect: .connect(try connection(&words))
    case .disconnect: .disconnect(try reason(&words))
    case .pair: .pair(try pairing(&words, bonds: false))
    case .bond: .pair(try pairing(&words, bonds: true))
    case .unpair: .unpair
    case .lose: try loseKeys(&words)
    case .parameters: .onLink(.change(LinkChange(parameters: try parameters(&words))))
    case .phy: .onLink(.change(LinkChange(phys: try phys(&words))))
    case .refuse: try refuseParameters(&words)
    case .subscribe: .subscribe(try notifying(&words))
    case .unsubscribe: .unsubscribe(try notifying(&words))
    case .open: .openChannel(try channel(&words))
    case .close: .closeChannel(try channel(&words))
    case .serve: try serve(&words)
    case .unserve: .unserve(try sought(&words))
    case .closed: try expect(from: .channelEnd(channel(&words)), nil, &words)
    case .write, .command, .request: try write(form, &words)
    case .pduOut: .sendPDU(try exactValue(&words))
    case .press: .control(try operation(&words))
    case .forget: .control(.forget(nil))
    case .reset: .control(.reset)
    case .advertise: .control(.advertise(try isOn(&words)))
    case .read: .read(try attribute(&words))
    case .wireIn: try wireIn(&words)
    case .wait: .wait(try waiting(&words))
    case .pause: .wait(try pause(first, words))
    case .silence: .silence(try duration(words.next(.duration), words))
    case .value: try value(&words)
    case .sent: try expect(from: .sent(placeOfSending(&words)), pattern(&words), &words)
    case .received: try expect(from: .received(placeOfReceiving(&words)), pattern(&words), &words)
    case .pduIn: try pdu(&words)
    case .wireOut: try wireOut(&words)
    case .note: try log(&words)
    case .disconnected: try disconnected(&words)
    case .refusal: try refusal(&words)
    case .readValue: .expectRead(try pattern(&words))
    case .finds: .expectFound(try found(&words))
    case .advertises: .expectAdvertising(try advertisement(&words))
    case .not: try notAdvertising(&words)
    case .device, .set, .seed, .clock, .memoryOnly, .paced, .linkTime, .fault, .no:
      preconditionFailure("the caller handles these lines")
    }
  }

  /// `serve time`, or with its value: `serve time E9 07`, or with an error: `serve time ! read-not-permitted`.
  private func serve(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    let index = try sought(&words)
    guard let next = words.peek else { return .serve(.success([]), for: index) }
    guard next.word == "!" else { return .serve(.success(try exactValue(&words)), for: index) }
    _ = words.next()
    return .serve(.failure(try attError(&words)), for: index)
  }

  /// The largest useful ATT_MTU is 517: a prepared write carries 512 bytes after 5 bytes of header.
  private static let mtus = 23...517

  /// `raw`, or `as phone mtu=185`, each part of which may be missing.
  private func connection(_ words: inout Words) throws(Diagnostic) -> Step.Connection {
    guard var token = words.next() else { return .client(mtu: Self.mtus.lowerBound) }
    if token.word == "raw" { return .raw }
    let isPhone = token.word == "as"
    if isPhone {
      let kind = try words.next(.phone)
      guard kind.word == "phone" else { throw words.error(.notPhone, at: kind.range) }
      guard let next = words.next() else { return .client(mtu: Self.mtus.lowerBound, isPhone: true) }
      token = next
    }
    guard token.name == "mtu" else {
      throw words.error(.notConnection, at: token.range)
    }
    guard let mtu = token.text.flatMap({ Int($0) }), Self.mtus.contains(mtu) else {
      throw words.error(.badMTU(Self.mtus), at: token.contentRange)
    }
    return .client(mtu: mtu, isPhone: isPhone)
  }

  /// The duration of `wait`, which has no condition.
  private func waiting(_ words: inout Words) throws(Diagnostic) -> Duration {
    let token = try words.next(.duration)
    guard token.word?.first?.isNumber != false else { throw words.error(.notWait, at: token.range) }
    return try duration(token, words)
  }

  private func loseKeys(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    let token = try words.next(.keys)
    guard token.word == "keys" else { throw words.error(.notLoseKeys, at: token.range) }
    return .loseKeys
  }

  private func reason(_ words: inout Words) throws(Diagnostic) -> HCIError? {
    guard let token = words.next() else { return nil }
    guard token.name == "reason" else { throw words.error(.notReason, at: token.range) }
    let name = token.text ?? ""
    guard let reason = HCIError(named: name) else {
      throw words.error(.unknownReason(name), at: token.contentRange)
    }
    return reason
  }

  /// Reads a write. `>` sends a write request if the characteristic supports it, otherwise a write command; or
  /// bytes in a channel; or a value of something that the device seeks at the central.
  private func write(_ form: Form, _ words: inout Words) throws(Diagnostic) -> Step.Action {
    switch form == .write ? otherPlace(&words) : nil {
    case .channel(let index): return .transmit(try exactValue(&words), in: index)
    case .sought(let index): return .tell(try exactValue(&words), from: index)
    default: break
    }
    let attribute = try attribute(&words)
    let value = try exactValue(&words)
    let kind: WriteKind =
      switch (form, attribute) {
      case (.command, _): .command
      case (.write, .characteristic(let index)): preferredKind(of: definition.characteristics[index])
      default: .request
      }
    if case .descriptor = attribute, kind == .command {
      throw words.error(.commandToDescriptor, at: words.range)
    }
    return .write(value, to: attribute, kind)
  }

  private func preferredKind(of characteristic: CharacteristicDefinition) -> WriteKind {
    let properties = characteristic.properties
    return properties.contains(.writeWithoutResponse) && !properties.contains(.write) ? .command : .request
  }

  private func wireIn(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    try wire(&words)
    return .putIntoWire(try exactValue(&words))
  }

  func isOn(_ words: inout Words) throws(Diagnostic) -> Bool {
    let token = try words.next(.onOrOff)
    switch token.word {
    case "on": return true
    case "off": return false
    default: throw words.error(.notOnOrOff, at: token.range)
    }
  }

  private func notAdvertising(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    let token = try words.next(.advertising)
    guard token.word == "advertising" else { throw words.error(.notAdvertising, at: token.range) }
    return .expectNoAdvertising
  }

  private func attError(_ words: inout Words) throws(Diagnostic) -> ATTError {
    let token = try words.next(.attError)
    if let error = token.word.flatMap({ ATTError(named: $0) }) { return error }
    throw words.error(.unknownError(token.word ?? ""), at: token.range)
  }

  /// The names of ATT errors, of reasons for failed pairings and of reasons for failed connections are distinct.
  private func refusal(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    let token = try words.next(.attError)
    guard let word = token.word else { throw words.error(.unknownError(""), at: token.range) }
    if let error = ATTError(named: word) { return .expectRefusal(error) }
    if let failure = PairingFailure(named: word) { return .expectPairingFailure(failure) }
    if let failure = ConnectionFailure(rawValue: word) { return .expectNoConnection(failure) }
    throw words.error(.unknownError(word), at: token.range)
  }
}

extension Step.Action {
  /// The same at a further central; nil: at the usual one.
  func of(_ central: String?) -> Self {
    guard case .expect(var expectation) = self, expectation.source.isOfCentral else { return self }
    expectation.source = expectation.source.at(central)
    return .expect(expectation)
  }

  /// Whether a central does it, or gets it.
  var isOfCentral: Bool {
    switch self {
    case .connect, .disconnect, .pair, .unpair, .loseKeys, .onLink, .subscribe, .unsubscribe, .openChannel,
      .closeChannel, .serve, .unserve, .tell, .transmit, .write, .read, .sendPDU, .expectRefusal,
      .expectNoConnection, .expectPairingFailure, .expectRead, .expectFound:
      true
    case .expect(let expectation): expectation.source.isOfCentral
    case .putIntoWire, .control, .addFault, .removeFault, .removeFaults, .wait, .silence, .expectTrue,
      .expectAdvertising, .expectNoAdvertising:
      false
    }
  }
}

extension Arrival.Source {
  fileprivate var isOfCentral: Bool {
    switch self {
    case .place(let place): place != .wire
    case .channelEnd, .pdu, .disconnection, .other: true
    case .log, .sent, .received: false
    }
  }
}
