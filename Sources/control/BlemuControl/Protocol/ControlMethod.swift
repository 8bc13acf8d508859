package import BlemuJSON

/// What a program can ask of a running device, by the method's name in JSON-RPC. Its ``description`` is the only one: requests are
/// checked against it, the schema is made from it, and tests compare the clients, the command line and the documentation with it.
package enum ControlMethod: String, CaseIterable, Sendable {
  case describe, status, get, set, press, send, wire, act, central, advertise, disconnect, forget, reset,
    faults,
    advance,
    journal,
    expect, share, expectations, watch, unwatch, intercept, unintercept, cancel
  case stop

  /// A parameter, by name.
  package struct Parameter: Sendable {
    package var name: String
    package var type: ControlType
    package var isRequired: Bool
    package var summary: String

    package init(_ name: String, _ type: ControlType, isRequired: Bool = false, _ summary: String) {
      (self.name, self.type, self.isRequired, self.summary) = (name, type, isRequired, summary)
    }
  }

  /// Which requests act on the device.
  enum Acts {
    case never, always
    /// Requests with this parameter.
    case with(String)
    /// Commands of a shell. A program plays the central as a party of its own, whose lines it expects afterwards.
    case inScripts
  }

  /// The description of a method.
  package struct Description: Sendable {
    package let summary: String
    let acts: Acts
    package let parameters: [Parameter]

    init(_ summary: String, acts: Acts = .never, _ parameters: [Parameter] = []) {
      (self.summary, self.acts, self.parameters) = (summary, acts, parameters)
    }
  }
}

extension ControlMethod {
  /// Whether a request acts on the device: the expectations that follow begin there.
  ///
  /// - Parameter isScript: whether it is a command of a shell.
  package func acts(_ parameters: JSONValue, isScript: Bool) -> Bool {
    switch description.acts {
    case .never: false
    case .always: true
    case .with(let name): parameters[name] != nil
    case .inScripts: isScript
    }
  }

  package var parameters: [Parameter] { description.parameters }
}
