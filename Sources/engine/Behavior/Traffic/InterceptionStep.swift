/// A step of an interception, in which a program answers in place of the rules.
package enum InterceptionStep: Hashable, Sendable {
  /// It takes over what this line of a transcript means.
  case began(String)
  case answered
  case refused
  case ended

  package var words: String {
    switch self {
    case .began(let line): "takes over '\(line)'"
    case .answered: "answered in place of the rules"
    case .refused: "refused it in place of the rules"
    case .ended: "ended"
    }
  }
}
