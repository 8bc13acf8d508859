import BlemuControl
import BlemuJSON

/// A running device, for the commands that control it.
struct RunningDevice {
  private let connection: ControlConnection
  let name: String

  /// - Parameter patience: how long to wait for each answer, whole seconds; nil: for ever.
  init(_ name: String, patience: Int? = nil) throws(CommandError) {
    self.name = name
    do { connection = try ControlConnection(to: name, patience: patience) } catch {
      throw .device(error, name: name)
    }
  }

  /// Asks the device for something.
  ///
  /// - Parameter parameters: those that are nil are left out.
  func call(
    _ method: ControlMethod, _ parameters: KeyValuePairs<String, JSONValue?> = [:]
  ) throws(CommandError) -> JSONValue {
    let parameters = ([:] as JSONValue).adding(parameters)
    do {
      // The commands of a script begin their expectations where the last of them has acted.
      if method == .expect || method.acts(parameters, isScript: true) { _ = try connection.call(.share) }
      return try connection.call(method, parameters)
    } catch {
      throw .device(error, name: name)
    }
  }

  /// Waits for the next event of a watch; nil: the device has ended.
  func nextEvent() throws(CommandError) -> JSONValue? {
    do { return try connection.nextEvent() } catch {
      if case .ended = error { return nil }
      throw .device(error, name: name)
    }
  }

  /// Asks for something that the device does, and prints what it warns of.
  func act(
    _ method: ControlMethod, _ parameters: KeyValuePairs<String, JSONValue?> = [:], isJSON: Bool = false
  ) throws(CommandError) {
    let result = try call(method, parameters)
    if isJSON { return Terminal.print(result.line + "\n") }
    for warning in result["warnings"]?.elements ?? [] {
      Terminal.printError("blemu: \(name): \(warning.text ?? "")\n")
    }
  }
}
