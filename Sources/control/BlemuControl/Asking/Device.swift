package import BlemuJSON

/// A device that `blemu run` has put on the air. A program can ask, control and check it.
///
/// ```swift
/// let belt = try await Device("heart-rate-belt")
/// try await belt.set(["battery": 3])
/// try await belt.expect("connect", "subscribe heart-rate-measurement", within: .seconds(30))
/// ```
///
/// Several tasks may use a device at once. A task that is cancelled waits no longer, and its call throws `CancellationError`.
/// The connection ends with the last reference; the device goes on.
///
/// What a device refuses, and why it cannot be reached, is a ``ControlFailure``.
public final class Device: Sendable {
  /// The device's name, or the path of its socket, as it was given.
  public let name: String
  let patience: Duration
  private let link: DeviceLink

  /// Connects to a running device.
  ///
  /// - Parameters:
  ///   - name: its name in `blemu ps`, or the path of its socket, which has a `/` in it.
  ///   - patience: how long the device may take for an answer before the call fails, on top of the time that it is told to wait.
  public init(_ name: String, patience: Duration = .seconds(60)) async throws {
    self.name = name
    self.patience = patience
    link = try await DeviceLink.connect(to: name, patience: patience)
  }

  deinit { link.close() }

  /// The names of all devices that run, sorted.
  public static var running: [String] {
    get async throws { try await onThread { DeviceSocket.running } }
  }

  /// Asks for something, and waits for the answer.
  ///
  /// - Parameters:
  ///   - parameters: those that are nil are left out.
  ///   - wait: how long the device may wait before it answers.
  func call(
    _ method: ControlMethod, _ parameters: KeyValuePairs<String, JSONValue?> = [:], wait: Duration = .zero
  ) async throws -> JSONValue {
    try await call(method, ([:] as JSONValue).adding(parameters), wait: wait)
  }

  /// Likewise.
  ///
  /// - Parameter parameters: an object.
  package func call(_ method: ControlMethod, _ parameters: JSONValue, wait: Duration = .zero) async throws
    -> JSONValue
  {
    try await link.call(method, parameters, wait: wait)
  }
}

// MARK: What it is

extension Device {
  /// Says what the device is, whether it is on the air, and who is connected.
  public func status() async throws -> Status { Status(try await call(.status)) }

  /// Describes the device: its attributes, messages, settings, variables, controls, states and advertising, with their present
  /// values. Peripherals/guide/control-protocol.md lists the members.
  public func describe() async throws -> Value { Value(try await call(.describe)) }

  /// Returns a present value: of a setting, a variable, `state`, or any expression of the definition language.
  public func get(_ name: String) async throws -> Value {
    let result = try await call(.get, ["names": [.string(name)]])
    guard let value = result["values"]?.members?.first?.value else {
      throw ControlFailure.notUnderstood(result.line)
    }
    return Value(value)
  }

  /// Returns the present values of all settings and variables, and of the state, by their names.
  public func get() async throws -> [String: Value] {
    Value(try await call(.get)["values"] ?? .null).members ?? [:]
  }
}
