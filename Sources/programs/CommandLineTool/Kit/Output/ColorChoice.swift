import Framing
import Glibc

/// The value of `--color`: where output has colours.
enum ColorChoice: String, CaseIterable {
  /// On a terminal that takes them.
  case auto
  case always, never

  /// - Parameter environment: the value of a variable of the environment; nil if it is absent.
  func style(isTerminal: Bool, environment: (String) -> String?) -> TextStyle {
    switch self {
    case .always: return TextStyle(hasColors: true)
    case .never: return .plain
    case .auto:
      // https://no-color.org
      let isUnwanted = !(environment("NO_COLOR") ?? "").isEmpty
      let isDumb = (environment("TERM") ?? "dumb") == "dumb"
      return TextStyle(hasColors: isTerminal && !isUnwanted && !isDumb)
    }
  }

  func style(of descriptor: Int32) -> TextStyle {
    guard self == .auto else { return style(isTerminal: false) { _ in nil } }
    return style(isTerminal: isatty(descriptor) == 1) { getenv($0).map { String(cString: $0) } }
  }

  /// - Parameter text: the value of `--color`; nil if the option is absent.
  init(_ text: String?) throws(CommandError) {
    guard let choice = Self(rawValue: text ?? Self.auto.rawValue) else {
      throw .badValue(option: "--color", value: text ?? "", expected: "auto, always or never")
    }
    self = choice
  }
}
