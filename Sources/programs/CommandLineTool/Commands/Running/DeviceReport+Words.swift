import Devices
import Peripheral

extension DeviceFailure {
  /// The message, and a hint at what to do next.
  var sentences: (message: String, hint: String?) {
    switch self {
    case .transport(let error): (error.message, error.hint)
    case .wire(let error): (error.message, error.hint)
    case .state(let error): error.sentences
    case .control(let error): error.sentences
    case .capture(let error): error.sentences
    case .other(let problem): (problem, "this is a bug in blemu")
    }
  }

  var status: ExitStatus {
    switch self {
    case .transport(let error): error.kind.status
    case .state(.notAFile), .state(.unreadable), .state(.mistakes): .badDefinition
    case .capture(.notPermitted): .noPermission
    case .capture(.failed): .unavailable
    case .wire, .control, .state(.inUse), .state(.unwritable), .capture: .cannotCreate
    case .other: .bug
    }
  }
}

extension CommandError {
  /// A device cannot start, or has ended.
  static func run(_ failure: DeviceFailure) -> Self {
    if case .transport(let error) = failure { return .controller(error) }
    let (message, hint) = failure.sentences
    var error = Self(failure.status, message, hint)
    if case .state(.mistakes(_, _, let report)) = failure { error.report = report }
    return error
  }

  /// Something is wrong with an adapter, or what serves it.
  static func controller(_ failure: TransportError) -> Self {
    var error = Self(failure.kind.status, failure.message, failure.hint)
    error.isOfMachine = failure.kind != .invalid
    error.isWithoutBluetooth = failure.kind == .withoutBluetooth
    return error
  }
}

extension TransportError.Kind {
  var status: ExitStatus {
    switch self {
    case .withoutBluetooth, .unavailable: .unavailable
    case .noPermission: .noPermission
    case .invalid: .badDefinition
    }
  }
}

extension BlemuTool {
  /// Prints a report of a device.
  ///
  /// - Parameter name: that of the one of several that it is about.
  static func print(_ report: DeviceReport, of name: String? = nil) {
    switch report {
    case .failed(let failure), .restarts(let failure): self.report(.run(failure), of: name)
    case .hasNoControl(let error):
      let (message, hint) = error.sentences
      Terminal.printError(
        "blemu: other commands cannot control this device: \(message)\n" + (hint.map { "  \($0)\n" } ?? ""))
    case .forgotBonds([]): Terminal.printError("blemu: there are no bonds to forget\n")
    case .forgotBonds(let centrals):
      let names = centrals.map(\.description).joined(separator: ", ")
      Terminal.printError("blemu: forgot the bonds with \(names)\n")
    }
  }
}
