import Centrals
import Definitions
import Framing
import Transcripts

extension CommandError {
  /// A device nearby cannot be asked.
  static func survey(_ failure: SurveyFailure) -> Self {
    switch failure {
    case .notHeard(let target, let time, let others):
      Self(
        .unavailable,
        "no device \(target.phrase) advertised within \(time.written); \(Phrase.count(others.count, "other device")) did",
        target.suggestion(among: others)
          + "'blemu scan' shows which devices advertise; a device that is connected to another central often does not"
      )
    case .noConnection(let device, let time):
      Self(
        .unavailable, "\(device.address) advertises, but no link to it began within \(time.written)",
        "move it nearer, and end its connection to any other central")
    case .controller(let error): .controller(error)
    case .stopped: Self(.interrupted)
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
