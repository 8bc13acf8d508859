import EventLoop

extension FuzzTarget {
  /// A bundled definition with changes: its name on a line, the changes up to a `.`, then what happens to it
  /// (``FuzzInput``).
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

  /// The first lines of a table that a bundled definition knows.
  private static let data = "month,day,samples\n1,2,A5 06\n1,3,\n"

  private static func mutated(_ input: inout FuzzInput) -> DefinitionUnderTest {
    var text = MutableText(Bundled.texts[input.bundledIndex()])
    var changes = 0
    while changes < 8, let kind = input.byte(), kind != UInt8(ascii: ".") {
      text.change(kind, &input)
      changes += 1
    }
    return DefinitionUnderTest(text: text.text, data: data)
  }
}
