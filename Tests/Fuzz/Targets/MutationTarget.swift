import EventLoop

extension FuzzTarget {
  /// A device's definition with changes: its name on a line, the changes up to a `.`, then the stimuli (``FuzzInput``).
  static let mutation = FuzzTarget(
    name: "mutation",
    run: { bytes in
      var input = FuzzInput(bytes)
      try await tryOut(mutated(&input), input)
    },
    describe: { bytes in
      var input = FuzzInput(bytes)
      let definition = mutated(&input)
      return definition.text + "\n" + definition.load().report
    })

  private static func mutated(_ input: inout FuzzInput) -> DefinitionUnderTest {
    let subject = input.subject()
    var text = MutableText(subject.text)
    var changes = 0
    while changes < 8, let kind = input.byte(), kind != UInt8(ascii: ".") {
      text.change(kind, &input)
      changes += 1
    }
    return DefinitionUnderTest(text: text.text, folder: subject.folder)
  }
}
