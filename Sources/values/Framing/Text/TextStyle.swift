/// Marks words of a text for a terminal, or leaves them as they are.
///
/// It uses few colours, all from the terminal's own scheme, so that they are legible on dark and on light backgrounds.
package struct TextStyle: Sendable {
  /// The role of a word.
  package enum Role: CaseIterable, Sendable {
    case error, warning, success, heading, hint

    /// The parameters of Select Graphic Rendition (ECMA-48, 8.3.117).
    fileprivate var parameters: String {
      switch self {
      case .error: "1;31"
      case .warning: "1;35"
      case .success: "32"
      case .heading: "1"
      case .hint: "36"
      }
    }

    fileprivate var beginning: String { "\u{1B}[\(parameters)m" }
  }

  package let hasColors: Bool

  package init(hasColors: Bool) {
    self.hasColors = hasColors
  }

  package static let plain = TextStyle(hasColors: false)

  package func mark(_ text: String, as role: Role) -> String {
    hasColors ? role.beginning + text + Self.end : text
  }

  /// What surrounds marked words.
  static let marks = Role.allCases.map(\.beginning) + [end]

  private static let end = "\u{1B}[0m"
}
