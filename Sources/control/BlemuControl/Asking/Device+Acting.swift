import BlemuJSON

/// What can be done to a device.
extension Device {
  /// Sets settings and variables: all of them, or none if one is wrong.
  @discardableResult
  public func set(_ values: [String: Value]) async throws -> Outcome {
    try await act(.set, ["values": Value.members(values).json])
  }

  /// Operates a control: presses a button, turns a switch, moves a slider.
  ///
  /// - Parameter value: for a control with a value; without it, a switch turns to its other side.
  @discardableResult
  public func press(_ control: String, _ value: Value? = nil) async throws -> Outcome {
    try await act(.press, ["control": .string(control), "value": value?.json])
  }

  /// Sends a value from a characteristic, as a notification or an indication, or out of the wire side.
  ///
  /// - Parameters:
  ///   - place: the id of a characteristic, or `wire`.
  ///   - central: the address of the only central that gets it; without it, all that have subscribed.
  @discardableResult
  public func send(
    _ content: Content, from place: String, to central: String? = nil
  ) async throws -> Outcome {
    let place = JSONValue.Member(name: "from", value: .string(place))
    return try await act(.send, [place] + content.members, central: central)
  }

  /// Puts bytes into the wire side, as what is attached there does.
  @discardableResult
  public func wire(_ content: Content) async throws -> Outcome { try await act(.wire, content.members) }

  /// Starts or stops advertising.
  @discardableResult
  public func advertise(_ isOn: Bool = true) async throws -> Outcome {
    try await act(.advertise, ["on": .boolean(isOn)])
  }

  /// Ends the connection of a central, or of all.
  ///
  /// - Parameters:
  ///   - central: its address; nil: all.
  ///   - reason: the HCI error that the central gets where the transport can tell it, as in `remote-low-resources`.
  @discardableResult
  public func disconnect(_ central: String? = nil, reason: String? = nil) async throws -> Outcome {
    try await act(
      .disconnect, ["central": central.map(JSONValue.string), "reason": reason.map(JSONValue.string)])
  }

  /// Forgets the bond with a central, or all bonds, as a factory reset does: the central has to pair again.
  ///
  /// - Parameter central: its address; nil: all.
  @discardableResult
  public func forget(_ central: String? = nil) async throws -> Outcome {
    try await act(.forget, ["central": central.map(JSONValue.string)])
  }

  /// Resets the device, as its own reset does: settings stay.
  @discardableResult
  public func reset() async throws -> Outcome { try await act(.reset) }

  /// Advances the clock of a device in memory: its timers fire at once, in their order, each at its own time.
  ///
  /// ```swift
  /// try await device.advance(by: .seconds(600))
  /// try await device.expect("< temperature", atLeast: 10)
  /// ```
  ///
  /// It returns when all of them have fired. From then on the device's clock is ahead by that much, and runs on. A device on the
  /// air refuses.
  @discardableResult
  public func advance(by time: Duration) async throws -> Outcome {
    Outcome(try await call(.advance, ["by": .integer(time.wholeMilliseconds)], wait: time))
  }

  /// Takes the device off the air and ends it.
  public func stop() async throws { _ = try await call(.stop) }

  private func act(
    _ method: ControlMethod, _ parameters: KeyValuePairs<String, JSONValue?> = [:]
  ) async throws -> Outcome {
    Outcome(try await call(method, parameters))
  }

  private func act(
    _ method: ControlMethod, _ parameters: [JSONValue.Member], central: String? = nil
  ) async throws -> Outcome {
    let central = central.map { JSONValue.Member(name: "central", value: .string($0)) }
    return Outcome(try await call(method, .object(parameters + (central.map { [$0] } ?? []))))
  }
}

extension Device {
  /// The result of an act on a device.
  public struct Outcome: Hashable, Sendable {
    /// The number of the last event before it: `expect(…, after: outcome.after)` looks at what came of it.
    public var after: Int
    /// What the device warned of meanwhile.
    public var warnings: [String]

    init(_ result: JSONValue) {
      after = result["after"]?.wholeNumber ?? 0
      warnings = (result["warnings"]?.elements ?? []).compactMap(\.text)
    }
  }
}
