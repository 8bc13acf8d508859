import Testing

@testable import Transcripts

/// Expectations on a command line, whose words may be separate.
@Suite struct JournalLinesTests {
  @Test(arguments: [
    (["connect", "disconnect"], ["connect", "disconnect"]),
    (["connect", "subscribe", "switch", "> switch 01"], ["connect", "subscribe switch", "> switch 01"]),
    (["> switch", "connect"], ["> switch", "connect"]),
    ([">", "switch", "turn", "state=1", "<", "switch", "01"], ["> switch turn state=1", "< switch 01"]),
    (["> switch", "01", "02", "pair"], ["> switch 01 02", "pair"]), (["press", "reset"], ["press reset"]),
    (["press", "button", "reset"], ["press button", "reset"]),
    (["*", "level", "<", "5"], ["* level < 5"]), (["* level < 5", "connect"], ["* level < 5", "connect"]),
    (["*", "\"the lamp is\"", "..."], ["* \"the lamp is\" ..."]),
    (["read", "level", "40"], ["read level 40"]), (["wave", "x"], ["wave x"]),
  ])
  func `an argument goes on with a line until that can end`(arguments: [String], texts: [String]) {
    var lines = JournalLines()
    for argument in arguments { lines.add(argument) }
    #expect(lines.texts == texts)
  }
}
