import Devices

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
  /// Whether a device is not on the air for a reason that 'blemu doctor' looks for.
  var isOfMachine: Bool {
    switch self {
    case .run(.transport(let error)), .survey(.controller(let error)): error.kind != .invalid
    default: false
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
