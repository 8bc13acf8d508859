import Learning

/// How a device is learnt, and how the command reports it.
struct LearningStyle {
  let style: Learner.Style
  let explains: Bool
  let isJSON: Bool
  let isAnonymous: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    explains = arguments["--explain"] != nil
    isJSON = arguments["--json"] != nil
    isAnonymous = arguments["--anonymous"] != nil
    let word = arguments["--as"] ?? Learner.Style.model.rawValue
    guard let style = Learner.Style(rawValue: word) else {
      throw .badValue(option: "--as", value: word, expected: "model or recording")
    }
    self.style = style
  }

  static let option = Option(
    "--as", takes: "model|recording",
    "model (default): infers frames, messages and rules where the recording suffices; recording: answers as recorded",
    words: .oneOf(Learner.Style.allCases.map(\.rawValue)))

  static let anonymity = Option(
    "--anonymous", "replaces names, serial numbers and the device's address in all that is written")

  /// What a reader must know, sentences.
  var notes: [String] {
    isAnonymous
      ? ["Names, serial numbers and the address of the device are replaced. Look for others in the values."]
      : []
  }

  static let explanation = Option("--explain", "prints the evidence for what is inferred")

  /// - Parameter folder: nil: nothing was written.
  func print(_ report: LearnReport, _ folder: LearntFolder?) {
    if isJSON { return Terminal.print(report.json(folder).line + "\n") }
    Terminal.print(report.text(explains: explains, folder))
  }
}
