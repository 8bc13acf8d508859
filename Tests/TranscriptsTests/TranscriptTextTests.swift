import Behavior
import Bluetooth
import Framing
import TestSupport
import Testing

@testable import Transcripts

/// A line that is written is read as what it was written from.
@Suite struct TranscriptTextTests {
  private static let device = try! define(
    """
    blemu: 1
    name: Everything
    settings: { level: { type: integer, default: 1 }, title: { type: text, default: "" } }
    services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, id: control, properties: [read, write, notify] }] }]
    channels: { stream: { psm: 0x80 } }
    client: { time: { service: 1805, uuid: 2A2B } }
    messages: { ask: "01 {number: u8}" }
    rules:
      - { on: { receive: any, from: wire }, do: { send: { bytes: "{frame}" }, to: wire } }
    """)
  private static let central = DeviceAddress("00:00:00:00:00:02")!
  private static let values: [[UInt8]] = [
    [], [0x41, 0x54], [0x00, 0xFF], [0x01, 0x05], Array("say \"hi\" \\ #1\r\n".utf8), Array("größer".utf8),
  ]

  private static let sources: [Arrival.Source] = [
    .place(.characteristic(0)), .place(.channel(0)), .place(.sought(0)), .place(.wire), .pdu, .log,
    .channelEnd(0), .disconnection,
  ]

  @Test(arguments: sources, values)
  func `output is read as an expectation of it`(source: Arrival.Source, value: [UInt8]) throws {
    let isEmpty = source == .channelEnd(0) || source == .disconnection
    let arrival = Arrival(at: Instant(), from: source, isEmpty ? [] : value)
    let line = TranscriptText(Self.device).line(of: arrival)
    guard case .step(let step) = try LineParser(Self.device).parse(line),
      case .expect(let expectation) = step.action
    else {
      Issue.record("\(line)")
      return
    }
    #expect(expectation.source == source)
    #expect((expectation.value == nil) == isEmpty)
    #expect(expectation.value?.difference(from: value) == nil, "\(line)")
  }

  private static let events: [TrafficEvent.Kind] =
    [
      .connected(central), .disconnected(central), .paired(central), .bonded(central),
      .subscribed(central, "control"), .unsubscribed(central, "control"),
      .read(central, "control", [], refused: nil),
      .controlled(.reset), .controlled(.advertise(false)), .controlled(.forget(nil)),
      .controlled(
        .set([
          Operation.Assignment(.init(.setting(0), .integer(3)), in: device),
          Operation.Assignment(.init(.setting(1), .text("a \"b\"")), in: device),
        ])),
    ]
    + values.flatMap { value -> [TrafficEvent.Kind] in
      [
        .write(central, "control", value, .request, refused: nil),
        .notify("control", value), .indicate("control", value), .wireIn(value), .wireOut(value),
        .frame(central, "control", value, isSent: true), .frame(central, "wire", value, isSent: false),
        .plain("control", value, isSent: false), .plain("wire", value, isSent: true),
        .log(String(decoding: value, as: UTF8.self)),
      ]
    }

  @Test(arguments: events)
  func `an event is read as a pattern that it matches`(event: TrafficEvent.Kind) throws {
    let line = try #require(TranscriptText(Self.device).line(of: event))
    #expect(try LineParser(Self.device).journalPattern(line).compare(with: event) == .matches, "\(line)")
  }

  private static let actions: [TrafficEvent.Kind] = [
    .opened(central, "stream"), .closed(central, "stream", reason: nil),
    .closed(central, "stream", reason: "by the device"), .channelIn(central, "stream", [0x41]),
    .channelOut("stream", [0x41]), .clientIn(central, "time", [0x41]), .clientOut(central, "time", [0x41]),
  ]

  @Test(arguments: actions)
  func `an event of a channel or a client is a line without mistakes`(event: TrafficEvent.Kind) throws {
    let line = try #require(TranscriptText(Self.device).line(of: event))
    guard case .step(let step) = try LineParser(Self.device).parse(line) else {
      Issue.record("\(line)")
      return
    }
    switch (event, step.action) {
    case (.opened, .openChannel(0)), (.closed(_, _, nil), .closeChannel(0)),
      (.channelIn, .transmit([0x41], in: 0)), (.clientIn, .tell([0x41], from: 0)):
      break
    case (_, .expect(let expectation)):
      let source: Arrival.Source =
        switch event {
        case .closed: .channelEnd(0)
        case .channelOut: .place(.channel(0))
        default: .place(.sought(0))
        }
      #expect(expectation.source == source)
    default: Issue.record("\(line)")
    }
  }

  @Test func `a recording is read as what it was recorded from`() throws {
    var recording = Recording(Self.device, device: "every thing.yaml")
    recording.begin(
      "A \"title\"", settings: [.integer(2), .text("#")],
      options: EngineOptions(seed: 7, unixTime: 1_796_000_000),
      paces: [.wire, .link])
    recording.take("connect", at: Instant())
    for (index, source) in Self.sources.enumerated() {
      let time = Instant(microseconds: Int64(index + 1) * 2000)
      recording.take(Arrival(at: time, from: source, source == .channelEnd(0) ? [] : [0x01, 0x05]))
    }
    var sources: [Arrival.Source] = []
    for line in recording.text.split(separator: "\n") {
      switch try LineParser(Self.device).parse(line) {
      case .device(let name): #expect(name == "every thing.yaml")
      case .section(let title): #expect(title == "A \"title\"")
      case .set(let assignments, _): #expect(assignments.count == 1)
      case .seed(let seed): #expect(seed == 7)
      case .clock(let time): #expect(time == 1_796_000_000)
      case .step(let step):
        guard case .expect(let expectation) = step.action else { continue }
        sources.append(expectation.source)
        #expect(expectation.after == .milliseconds(2) ... .milliseconds(2), "\(line)")
      default: break
      }
    }
    #expect(sources == Self.sources)
    #expect(recording.text.contains("[ wire  01 05  after 2ms  # ask number=5\n"))
  }

  @Test(
    arguments: [
      (.plain("wire", [0x41], isSent: true), "[ wire  41  \"A\"  (decoded)"),
      (.frame(nil, "control", [1, 5], isSent: false), "> control  01 05  ask number=5  (whole)"),
      (.log("a \"b\"\n"), #"* "a \"b\"\n""#), (.warning("a\nb", attribute: nil, []), #"! "a\nb""#),
      (.write(nil, "control", [1], .command, refused: nil), ">! control  01"),
      (
        .write(nil, "control", [1], nil, refused: .valueNotAllowed),
        "> control  01  refused: value-not-allowed"
      ),
      (.read(nil, "control", [1], refused: nil), "read control  01"),
      (.read(nil, "control", [], refused: .valueNotAllowed), "read control  refused: value-not-allowed"),
    ] as [(TrafficEvent.Kind, String)])
  func `a report shows an event`(event: TrafficEvent.Kind, line: String) {
    #expect(EventText(Self.device).text(of: event) == line)
  }
}
