import Centrals
import Definitions
import Framing
import Transcripts

extension SurveyFailure {
  /// The message, and a hint at what to do next; nil: it was said already.
  var sentences: (message: String, hint: String?)? {
    switch self {
    case .notHeard(let target, let time, let others):
      (
        "no device \(target.phrase) advertised within \(time.written); \(Phrase.count(others.count, "other device")) did",
        target.suggestion(among: others)
          + "'blemu scan' shows which devices advertise; a device that is connected to another central often does not"
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
  /// A name that was heard and is almost this one.
  fileprivate func suggestion(among heard: [HeardDevice]) -> String {
    guard case .name(let name) = self,
      let nearest = Suggestion.nearest(to: name, in: heard.compactMap(\.name))
    else { return "" }
    return "did you mean '\(PrintableText.escape(Array(nearest.utf8)))'? "
  }

  fileprivate var phrase: String {
    switch self {
    case .address(let address): "with the address \(address)"
    case .name(let name): "of the name \"\(PrintableText.escape(Array(name.utf8)))\""
    }
  }
}
