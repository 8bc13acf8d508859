import TestSupport
import Testing

@testable import TestBeds

/// Conversations that pass and conversations that fail, with the device of these tests.
@Suite struct ConversationTests {
  @Test(arguments: [
    "> control  ask number=5\n< control  answer number=5",
    "> control  01 05\n< control  81 05",
    "> control  01 05\n< control  ** 05 ...",
    "> control  01 05\n< control  answer",
    "> control  01 05\n< control  answer number=* note=*",
    "> control  01 05\n< control  answer note=\"\"",
    "read control\n= 34 15", "read control\n= 34 **", "read control",
    "read control/2901\n= \"Control\"",
    "> control/2901  \"New\"\nread control/2901\n= \"New\"",
    """
    > control  cells cells[0].v=3325 cells[0].on=1 cells[1].v=0x10 cells[1].on=0
    < control  09 02 0C FD 01 00 10 00 EB
    > control  cells
    < control  cells cells.size=0
    """,
    """
    > control  09 02 0C FD 01 00 10 00 EB
    < control  cells cells.size=2 cells[1].v=16 cells[0].on=1 cells[0].v=*
    """,
    "> control  extra a=1\n< control  0A 01", "> control  extra a=1 b=2\n< control  extra b=2",
    """
    > control  reading celsius=36.6 power=on owner=4C:32:75:0A:11:9E
    < control  0B 6E 01 00 FF 23 4C 32 75 0A 11 9E
    > control  0B FF FF 7F 00 24 "sender"
    < control  reading celsius=nan power=off owner=73:**...
    """,
    """
    > control  list records[0].tag=1 records[1].tag=2 records[1].items[0].value=5 records[1].items[1].value=6
    < control  0C 01 00 02 02 05 06
    > control  0C 01 00 02 02 05 06
    < control  list records.size=2 records[0].items.size=0 records[1].items[1].value=6 records[1].items.size=2
    """,
    "> control  name-command name=Demo\n< control  \"AT+NAMEDemo\"",
    "> control  \"at+nameDemo\"\n< control  name-command name=Demo",
    "> secret  01 02 03", "> secret  01 02 03 04\n! value-not-allowed",
    "read secret\n! read-not-permitted", "read fast\n! read-not-permitted",
    "subscribe fast\n> fast  00", ">? fast  00", ">? frames  00\n! write-not-permitted",
    "> control  leave\ndisconnected after 1s\nconnect\nread control",
    "advertises\n> control  hide\nnot advertising",
    "finds FFE0/FFE1 FFE0/FFE2 FFE0/FFE3 FFE0/FFE4",
    "read spare\n! attribute-not-found\nsubscribe spare\n! attribute-not-found\n> spare  01\n! attribute-not-found",
    "advertises local-name=Scale services=180F,FFE0 manufacturer-data=4D48:01**... tx-power=-6 connectable=true",
    "advertises local-name=* manufacturer-data=4D48:... interval=100ms-200ms",
    "> control  both\n< control  02\n[ wire  03",
    "] wire  02\n[ wire  hide",
    "subscribe frames\n> control  stream data=\"A\\nBC\\nD\"\n< frames  \"A\"\n< frames  \"BC\"\nsilence 1s",
    "subscribe frames\n> control  06 \"A\"\n> control  06 \"B\\n\"\n< frames  \"AB\"",
    "> control  echo data=\"1234567890 1234567890\"\n< control  answer note=\"1234567890 1234567890\"",
    "> control  05 \"1234567890 1234567890\"\n< control  81 01 \"1234567890 1234567890\"",
    "> control  05 \"1234567890 12345678\"\n< control  81 01 \"1234567890 1234567\"\n< control  \"8\"",
    "disconnect\nsilence 1s\nconnect\ndisconnect",
    "disconnect reason=supervision-timeout\n[ wire  leave\nconnect raw\ndisconnect reason=supervision-timeout\n[ wire  leave",
    "disconnect reason=remote-power-off\nsilence 1s",
    """
    disconnect
    connect raw
    >> 10 01 00 FF FF 00 28      # all primary services
    << 11 06 01 00 05 00 00 18 ...
    >> 02 F7 00
    << 03 ** **
    >> 0A FF FF
    << 01 0A FF FF 01
    ] wire  02
    [ wire  hide
    silence 1s
    """,
    """
    disconnect
    connect raw
    >> 12 11 00 02 00            # subscribes to the indications of fast
    << 13
    >> 52 10 00 07
    << 1D 10 00 02
    silence 29s                  # the second indication waits for the confirmation of the first
    >> 1E
    << 1D 10 00 03
    disconnected after 30s       # not confirmed
    """,
    "unsubscribe control\n> control  ask number=1\nsilence 1s",
    "press button\n< control  hide\ndisconnect\npress button\nsilence 1s",
    "press spare-part\n* has-spare\npress spare-part\n* not has-spare\npress spare-part=true\n* has-spare",
    "press throttle=7\n< control  ask number=7\n* speed == 7\nset speed=8 limit=9\n< control  ask number=8\n* limit == 9",
    "set local-name=Desk\nadvertises local-name=Desk",
    "disconnect\nadvertise off\nnot advertising\nadvertise on\nconnect",
    "press throttle=7\n< control  ask number=7\npress spare-part\nreset\ndisconnected\nconnect\n* speed == 0\n* has-spare",
    "> control  hide\ndisconnect\nconnect\n! not-advertising\nnot advertising",
    "fault drop on control in\n> control  ask number=5\nsilence 1s\nno faults\n> control  hide\nnot advertising",
    "fault drop out\nno fault drop out\n> control  01 05\n< control  81 05",
    "fault duplicate out every 2nd  # the second answer\n> control  01 05\n< control  81 05\n> control  01 06\n< control  81 06\n< control  81 06",
    "fault delay 2s out\n> control  01 05\n< control  81 05  after 2.3s",
    "fault answer 3s late\nread control\n= 34 15\nfault refuse 0x80\n> control  01 05\n! 0x80\nno faults\nread control",
    "fault advertise as \"A # B\"\nadvertises local-name=\"A # B\"",
    "fault drop out\n> control  01 05\nsent control  answer number=5\nsilence 1s\nreceived control  ask number=5",
    "fault truncate to 1 byte out\n> control  01 05\nsent control  81 05\n< control  81",
    "fault delay 2s out\n> control  01 05\nsent control  81 05  after 300ms\n< control  81 05  after 2s",
    "fault drop in\n> control  01 05\nsilence 1s\nno faults\n> control  01 06\nreceived control  01 06\n< control  81 06",
    "> control  01 05\n< control  81 05\nreceived control  ask\nsent control  answer",
    "fault drop on wire out\n] wire  02\nreceived wire  02\nsent wire  hide\nsilence 1s",
  ])
  func `a conversation passes`(lines: String) async throws {
    #expect(try await failure(of: "connect\nsubscribe control\n" + lines) == nil)
  }

  @Test(arguments: [
    ("> control  ask number=5\n< control  81 06", "4: byte 1 is 0x05, not 0x06"),
    ("> control  ask number=5\n< control  81", "4: 2 bytes, not 1"),
    ("> control  ask number=5\n< control  81 05 00 ...", "4: 2 bytes, not at least 3"),
    ("> control  ask number=5\n< control  answer number=6", "4: number is 5, not 6"),
    ("> control  ask number=5\n< control  answer note=00", "4: note: 0 bytes, not 1"),
    ("> control  ask number=5\n< control  label", "4: the value is not a 'label' message"),
    ("disconnect\nconnect raw\n>> 0A FF FF\n<< 0B ...", "6: byte 0 is 0x01, not 0x0B"),
    (
      "disconnect\nconnect raw\n>> 0A FF FF",
      "5: no line expects this: << 01 0A FF FF 01  Error Response (0x01): invalid-handle"
    ),
    ("disconnect\nconnect raw\n<< 0B", "5: nothing arrived within 5 s"),
    (
      "> control  ask number=5\n< control  81 05\nsent control  81 06",
      "5: the device did not send this within 5 s"
    ),
    (
      "fault drop in\n> control  ask number=5\nreceived control  ask  within 2s",
      "5: the device did not receive this within 2 s"
    ),
    ("> control  00\n< control  answer", "4: nothing arrived within 5 s"),
    ("> control  00\n< control  answer  within 20s", "4: nothing arrived within 20 s"),
    (
      "> control  list records[0].tag=1 records[0].items[0].value=5\n< control  list records[0].items[0].value=6",
      "4: records[0].items[0].value is 5, not 6"
    ),
    (
      "> control  list records[0].tag=1 records[0].items[0].value=5\n< control  list records[0].items[1].value=6",
      "4: there is no records[0].items[1].value"
    ),
    (
      "> control  reading celsius=36.6 power=on owner=010203040506\n< control  reading celsius=37",
      "4: celsius is 36.6, not 37.0"
    ),
    (
      "> control  reading celsius=nres power=on owner=010203040506\n< control  reading power=off",
      "4: power is on, not off"
    ),
    (
      "> control  cells cells[0].v=5 cells[0].on=1\n< control  cells cells.size=2",
      "4: cells.size is 1, not 2"
    ),
    (
      "> control  cells cells[0].v=5 cells[0].on=1\n< control  cells cells[0].v=6",
      "4: cells[0].v is 5, not 6"
    ),
    (
      "> control  cells cells[0].v=5 cells[0].on=1\n< control  cells cells[1].v=6",
      "4: there is no cells[1].v"
    ),
    ("> control  extra a=1\n< control  extra b=0", "4: there is no b"),
    (
      "> control  cells cells[0].v=5 cells[0].on=1",
      "3: no line expects this: < control  09 01 00 05 01 0C  cells cells[0].v=5 cells[0].on=1"
    ),
    ("read control\n= 34", "4: 2 bytes, not 1"),
    ("read secret", "3: refused: Read Not Permitted (0x02)"),
    (">! spare  01", "3: refused: Attribute Not Found (0x0A)"),
    ("> secret  00\n! value-not-allowed", "4: accepted, not refused with value-not-allowed"),
    (
      "> secret  01 02 03 04\n! write-not-permitted",
      "4: refused with value-not-allowed, not with write-not-permitted"
    ),
    (
      "> control  ask number=5\nwait 1s",
      "4: no line expects this: < control  81 05  answer number=5 note=\"\""
    ),
    ("> control  both\n[ wire  03", "4: something else arrived first: < control  02  leave"),
    ("> control  leave\nwait 2s", "4: no line expects this: disconnected"),
    ("> control  leave\nwait 2s\nread control", "5: the device has ended the connection"),
    ("advertises local-name=Scales", "3: local-name is \"Scale\", not \"Scales\""),
    ("advertises services=FFE0", "3: services is FFE0,180F, not FFE0"),
    ("advertises manufacturer-data=4D48:0102", "3: manufacturer-data: 3 bytes, not 2"),
    ("advertises service-data=FFE0:00", "3: there is no such service-data"),
    ("advertises appearance=1", "3: there is no appearance"),
    (
      "> control  hide\ndisconnect\nconnect",
      "5: the device is not advertising: no central can connect"
    ),
    (
      "> control  hide\ndisconnect\nconnect\n! not-connectable",
      "6: failed with not-advertising, not with not-connectable"
    ),
    ("disconnect\nconnect\n! not-advertising", "5: connected; this did not fail with not-advertising"),
    ("> control  hide\nadvertises", "4: the device is not advertising"),
    ("not advertising", "3: the device is advertising"),
    ("fault answer never\nread control", "4: the device has not responded within 30 s"),
    ("fault drop out on control\n> control  01 05\n< control  81 05", "5: nothing arrived within 5 s"),
    ("finds FFE0/FFE1 FFE0/FFE2 FFE0/FFE3", "3: the central also finds FFE0/FFE4"),
    ("finds FFE0/FFE1 FFE0/FFE2 FFE0/FFE3 FFE0/FFE4 FFE0/FFE5", "3: the central does not find FFE0/FFE5"),
    ("finds FFE0/FFE1 FFE0/FFE2 FFE0/FFE4 FFE0/FFE3", "3: the central finds them in a different order"),
    (
      ">! fast  00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14",
      "3: a write command carries at most 20 bytes on this link, not 21"
    ),
  ])
  func `a conversation fails with its reason`(lines: String, message: String) async throws {
    #expect(try await failure(of: "connect\nsubscribe control\n" + lines) == message)
  }

  @Test func `every section starts with a new device`() async throws {
    let results = try await runInMemory(
      """
      == One
      set local-name=Other
      connect
      > control  00
      advertises local-name=Other
      == Two
      advertises local-name=Scale
      connect
      read control
      = 34 15
      == Three
      connect
      read control
      = 00
      """)
    #expect(results.map(\.title) == ["One", "Two", "Three"])
    #expect(results.map(\.line) == [1, 6, 11])
    #expect(results.map { $0.failure?.line } == [nil, nil, 14])
  }

  @Test func `settings before the first section apply to every section`() async throws {
    #expect(
      try await failure(
        of: """
          set limit=1
          == One
          connect
          > secret  01 02
          ! value-not-allowed
          == Two
          set limit=2
          connect
          > secret  01 02
          """) == nil)
  }

  @Test(arguments: [
    ("2026-11-29T12:34:56", 1_795_955_696), ("2026-11-29T12:34:56Z", 1_795_955_696),
    ("2026-11-29T12:34:56+01:00", 1_795_952_096), ("2026-11-29T00:30-04:30", 1_795_928_400),
    ("1969-12-31T23:59:59", -1), ("2024-02-29T00:00", 1_709_164_800),
  ])
  func `a device starts at the time of day of its clock`(clock: String, seconds: Int) async throws {
    #expect(
      try await failure(
        of: "clock \(clock)\nconnect\n* unix-time == \(seconds)\nwait 90s\n* unix-time == \(seconds + 90)")
        == nil)
  }

  @Test func `an advertised service may have its id`() async throws {
    let device = try define(
      """
      blemu: 1
      name: Lamp
      advertisement: { local-name: Lamp, services: [FFE0] }
      services: [{ id: main, uuid: FFE0, characteristics: [] }, { id: other, uuid: FFF0, characteristics: [] }]
      """)
    #expect(try await failure(of: "advertises services=main", with: device) == nil)
    #expect(
      try await failure(of: "advertises services=other", with: device)
        == "1: services is FFE0, not FFF0")
  }

  @Test func `the same seed gives the same random values`() async throws {
    func roll(seed: Int) async throws -> String? {
      try await failure(of: "seed \(seed)\nconnect\nsubscribe control\n> control  roll")
    }
    let first = try await roll(seed: 7)
    #expect(try await roll(seed: 7) == first)
    var others: Set<String?> = []
    for seed in 8..<12 { others.insert(try await roll(seed: seed)) }
    #expect(others.count > 1)
  }
}
