import Transcripts
import Centrals
import Framing

extension SurveyFailure {
  /// The message, and a hint at what to do next; nil: it was said already.
  var sentences: (message: String, hint: String?)? {
    switch self {
    case .notHeard(let target, let time, let others):
      (
        "no device \(target.phrase) advertised within \(time.written); \(Phrase.count(others, "other device")) did",
        "'blemu scan' shows which devices advertise; a device that is connected to another central often does not"
      )
    case .noConnection(let device, let time):
      (
        "\(device.address) advertises, but no link to it began within \(time.written)",
        "move it nearer, and end its connection to any other central"
      )
    case .controller(let error): (error.message, error.hint)
    case .stopped: nil
    }
  }

  var status: ExitStatus {
    switch self {
    case .notHeard, .noConnection: .unavailable
    case .controller(let error): error.kind.status
    case .stopped: .interrupted
    }
  }
}

extension SurveyPlan.Target {
  fileprivate var phrase: String {
    switch self {
    case .address(let address): "with the address \(address)"
    case .name(let name): "of the name \"\(PrintableText.escape(Array(name.utf8)))\""
    }
  }
}
