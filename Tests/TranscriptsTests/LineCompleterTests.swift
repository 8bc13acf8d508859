import Testing

@testable import Transcripts

/// What Tab does at the prompt.
@Suite struct LineCompleterTests {
  private typealias Completion = LineCompleter.Completion

  private func complete(_ line: String, before rest: String = "") -> Completion {
    LineCompleter(device).complete(line, before: rest)
  }

  @Test(arguments: [
    ("con", Completion.insert("nect ", back: 0)), ("s", .list(["subscribe", "serve", "set", "seed"])),
    ("connect m", .insert("tu=", back: 0)), ("connect ra", .insert("w ", back: 0)),
    ("subscribe fr", .insert("ames ", back: 0)), ("subscribe sec", .nothing),
    ("read control", .list(["control", "control/2901"])), ("read control/", .insert("2901 ", back: 0)),
    ("> fa", .insert("st ", back: 0)), ("> frames", .nothing), (">! sec", .insert("ret ", back: 0)),
    ("] ", .insert("wire ", back: 0)), ("set has-spare=t", .insert("rue ", back: 0)),
    ("set lo", .insert("cal-name=", back: 0)), ("* li", .insert("mit ", back: 0)),
    ("pr", .insert("ess ", back: 0)), ("press b", .insert("utton ", back: 0)),
    ("press th", .insert("rottle=", back: 0)), ("press button ", .nothing),
    ("press s", .insert("pare-part", back: 0)), ("press spare-part=f", .insert("alse ", back: 0)),
    ("set sp", .list(["spare=", "speed="])), ("set spe", .insert("ed=", back: 0)), ("set w", .nothing),
    ("pair io", .insert("-capability=", back: 0)),
    ("disconnect reason=superv", .insert("ision-timeout ", back: 0)),
    ("wave ", .nothing), ("> \"é", .nothing),
  ])
  func `a word is completed`(line: String, completion: LineCompleter.Completion) {
    #expect(complete(line) == completion)
  }

  @Test func `a message comes with its fields, and the cursor stands in the first`() {
    #expect(complete("> control as") == .insert("k number=", back: 0))
    #expect(complete("> control chat") == .insert("ter count= every=", back: 7))
    #expect(complete("> control lea") == .insert("ve ", back: 0))
    #expect(complete("] wire cel") == .insert("ls cells[0].v= cells[0].on=", back: 13))
  }

  @Test func `Tab after a value goes to the next field`() {
    #expect(complete("> control chatter count=5", before: " every=") == .move(7))
    #expect(complete("> control chatter count=5 every=3") == .nothing)
    #expect(complete("> control chatter count=5 ") == .insert("every=", back: 0))
    #expect(complete("> control chatter count=5 every=3 ") == .nothing)
  }

  @Test func `the words that may follow are listed`() {
    #expect(complete("> control ") == .list(device.namedMessages.map(\.name)))
    #expect(complete("subscribe ") == .list(["control", "fast", "frames", "spare"]))
  }
}
