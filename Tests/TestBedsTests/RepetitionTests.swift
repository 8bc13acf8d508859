import Testing

@testable import TestBeds

/// Lines with `repeated`. The device sends the numbers 0, 1 and 2, one each second.
@Suite struct RepetitionTests {
  private static let begin = "connect\nsubscribe control\n> control  chatter count=3 every=1000\n"

  @Test(arguments: [
    "< control  answer  repeated\nwait 5s",
    "< control  answer  after 1s repeated\nwait 5s",
    "< control  answer  repeated within 1s\n< control  answer number=2  after 2s",
    "< control  answer  repeated\nwait 2s\nsilence 1s",
    "< control  answer  repeated\ndisconnect\nconnect",
    "< control  answer  repeated\n] wire  02\n[ wire  03",
    "< control  answer  repeated\n< control  answer number=1  after 1s\n< control  answer number=2  after 1s",
  ])
  func `matching output may repeat`(lines: String) async throws {
    #expect(try await failure(of: Self.begin + lines) == nil)
  }

  private static func unexpected(_ number: Int) -> String {
    "no line expects this: < control  81 0\(number)  answer number=\(number) note=\"\""
  }

  @Test(arguments: [
    ("< control  answer number=0  repeated\nwait 5s", "5: " + unexpected(1)),
    ("< control  answer number=0  repeated\n< control  answer number=2", "5: number is 1, not 2"),
    ("< control  answer number=1  repeated", "4: number is 0, not 1"),
    ("< control  answer  repeated\n< control  answer number=1\nwait 5s", "6: " + unexpected(2)),
    ("< control  answer  repeated\nsilence 1001ms", "5: " + unexpected(1)),
    ("< control  answer  repeated\n< control  leave", "5: nothing arrived within 5 s"),
    (
      "< control  answer  repeated\ndisconnect\nconnect\nsubscribe control\n> control  ask number=1\nwait 1s",
      "9: " + unexpected(1)
    ),
  ])
  func `other output fails`(lines: String, message: String) async throws {
    #expect(try await failure(of: Self.begin + lines) == message)
  }
}
