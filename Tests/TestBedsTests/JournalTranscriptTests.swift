import Behavior
import BlueZLimits
import Definitions
import DeviceModel
import EventLoop
import Framing
import Peripheral
import TestSupport
import Testing
import Transcripts

@testable import TestBeds

/// A journal becomes a transcript that passes.
@Suite struct JournalTranscriptTests {
  /// Keeps what happens to a device.
  @EventLoop private final class Keeper: TrafficSink {
    var events: [TrafficEvent] = []
    var takesFrames: Bool { true }
    func take(_ event: TrafficEvent) { events.append(event) }
  }

  /// The lines for what happens while a section runs.
  @EventLoop private func transcript(
    of section: Transcript.Section, _ definition: PeripheralDefinition
  ) async throws -> String {
    let testBed = LoopbackTestBed(limits: BlueZLimits())
    let keeper = Keeper()
    testBed.device.furtherSink = keeper
    _ = try await SectionRunner(section, of: definition, on: testBed)
      .run(settings: definition.settings.map(\.initial))
    return lines(keeper.events, of: definition).joined(separator: "\n")
  }

  private func lines(_ events: [TrafficEvent], of definition: PeripheralDefinition) -> [String] {
    var transcript = JournalTranscript(definition)
    return events.indices.flatMap { index in
      transcript.lines(of: events[index], following: events[(index + 1)...])
    }
  }

  @Test(arguments: library.names)
  func `the journal of each bundled device is a transcript that passes`(name: String) async throws {
    let path = try #require(library.path(of: name))
    let definition = try #require(try readDefinition(at: path).definition)
    let file = path.dropLast(".yaml".count) + ".transcript"
    for section in try parse(TextFile.read(String(file)), for: definition) {
      if isExcluded(section, of: definition) { continue }
      var settings = definition.settings.map(\.initial)
      for (index, value) in section.settings { settings[index] = value }
      let head = JournalTranscript.head(
        definition, device: name, settings: settings, seed: section.seed, forgotten: 0)
      let text =
        head + (section.paces.contains(.wire) ? "paced\n" : "")
        + (try await transcript(of: section, definition))
      let report = try await report(of: text, with: definition)
      if !report.isEmpty { Issue.record(Comment(rawValue: "\(section.title)\n\(report)\n\(text)")) }
    }
  }

  @Test(arguments: [
    "connect\nsubscribe digits\n> digits  ask n=1\n< digits  ask n=2",
    "connect\nsubscribe digits\n> digits  long data=\"12345678901234567890\"\n< digits  long data=\"12345678901234567890\"",
    "connect\nsubscribe out\n> in  \"hello\"\n< out  \"hi\"", "] wire  01 0A\n[ wire  02 0A",
  ])
  func `a journal of encoded streams is a transcript in plain bytes that passes`(text: String) async throws {
    let device = CodedStreamTests.device
    let section = try #require(try parse(text, for: device).first)
    let written = try await transcript(of: section, device)
    #expect(written.contains("# encoded: "))
    #expect(try await report(of: written, with: device) == "", "\(written)")
    let lines = text.split(separator: "\n").filter { "<>[]".contains($0.first!) }
    #expect(written.split(separator: "\n").filter { "<>[]".contains($0.first!) }.count == lines.count)
  }

  @Test func `Service Changed is a line where the definition has it, and otherwise a comment`() async throws {
    let changing = try define(
      """
      blemu: 1
      name: Device
      settings: { has-more: { type: boolean, default: false } }
      security: { bonding: true }
      services:
        - { uuid: 1801, characteristics: [{ uuid: 2A05, properties: [indicate] }] }
        - uuid: FFE0
          characteristics:
            - { id: in, uuid: FFE1, properties: [write] }
            - { uuid: FFE2, properties: [read], if: has-more }
      rules:
        - { on: { receive: any }, do: [{ set: { has-more: true } }, reset] }
      """)
    let text = "connect\nsubscribe 2A05\nbond\n> in  43\ndisconnected\nconnect\n< 2A05  01 00 FF FF"
    #expect(try await report(of: text, with: changing) == "")
    let section = try #require(try parse(text, for: changing).first)
    let written = try await transcript(of: section, changing)
    #expect(written.contains("\n< 2A05  01 00 FF FF"), "\(written)")
    #expect(try await report(of: written, with: changing) == "", "\(written)")
    let change = TrafficEvent(
      time: Instant(), kind: .indicate("2A05", [1, 0, 0xFF, 0xFF], message: "Service Changed"))
    #expect(lines([change], of: device) == ["# < 2A05  01 00 FF FF"])
  }

  @Test func `a long value is one read, also where its rule sends to a layer`() async throws {
    let reading = try define(
      """
      blemu: 1
      name: Device
      services: [{ uuid: FFE0, characteristics: [{ id: out, uuid: FFE1, properties: [read] }] }]
      layers: [whole]
      variables: { kept: { type: bytes, max: 100, default: "" } }
      messages: { long: "01 {data: bytes(40)}" }
      rules:
        - on: { read: out }
          do:
            - { if: offset == 0, send: long, with: { data: "fill(7, 40)" }, to: whole }
            - { respond: { bytes: "{kept}" } }
        - { on: { send: any, from: whole }, do: { set: { kept: frame } } }
      """)
    let section = try #require(try parse("connect\nread out", for: reading).first)
    let written = try await transcript(of: section, reading)
    #expect(written.ranges(of: "read out").count == 1, "\(written)")
    #expect(try await report(of: written, with: reading) == "", "\(written)")
  }

  @Test func `a subscription that is refused is a line, unless the central does not hear of it`() {
    func lines(_ kind: WriteKind) -> [String] {
      let write = TrafficEvent.Kind.write(nil, "control/2902", [1, 0], kind, refused: .writeNotPermitted)
      return self.lines([TrafficEvent(time: Instant(), kind: write)], of: device)
    }
    #expect(lines(.request) == ["subscribe control", "! write-not-permitted"])
    #expect(lines(.command) == ["# subscribe control, by a Write Command"])
  }

  @Test(arguments: [
    ("read level", "= 64"), ("read label", "= \"d\""), ("read title", "= \"d\""),
    ("> level 64", "> level  64"),
    ("] wire \"d\"", "] wire  64"),
  ])
  @EventLoop func `a number is no text, though it is a printable byte`(line: String, written: String)
    async throws
  {
    let device = try define(
      """
      blemu: 1
      name: Battery
      settings: { level: { type: integer, default: 100 }, title: { type: text, default: d } }
      messages: { ask: "A5 {n: u8}" }
      wire: {}
      rules: [{ on: { receive: ask, from: [level, wire] }, do: { log: "{n}" } }]
      services:
        - uuid: 180F
          characteristics:
            - { id: level, uuid: 2A19, properties: [read, write], value: "{level: u8}" }
            - { id: label, uuid: 2A24, properties: [read], text: d }
            - { id: title, uuid: 2A00, properties: [read], value: "{title: text}" }
      """)
    let section = try #require(try parse("connect\n" + line, for: device).first)
    let text = try await transcript(of: section, device)
    #expect(text.split(separator: "\n").contains { $0 == written }, "\(text)")
    let player = Player(device, settings: device.settings.map(\.initial))
    _ = try await player.start()
    for line in ["connect", line] { _ = await player.take(line) }
    await player.stop()
    if line.hasPrefix("read") { #expect(player.recording.text.contains("\n\(written)\n")) }
  }

  /// Each section has a step for what is sent before the line with this index.
  @Test(arguments: [
    (
      "connect\nsubscribe control\n< control 03\nread control\n= 03\npress button\n< control 03", 2,
      ControlEvent.send([0x03], from: .characteristic(0), message: nil, to: nil)
    ),
    (
      "connect\nsubscribe control\n< control 01 05\n> control 01 06\n< control 81 06 ...\nread control\n= 81 06 ...",
      2, .send([0x01, 0x05], from: .characteristic(0), message: 0, to: nil)
    ),
    (
      "connect\nsubscribe frames\n< frames \"1234567890123456789012345\"\n] wire 02\n[ wire 03", 2,
      .send(Array("1234567890123456789012345\n".utf8), from: .characteristic(2), message: nil, to: nil)
    ),
    ("[ wire 03\n] wire 02\n[ wire 03", 0, .send([0x03], from: .wire, message: nil, to: nil)),
  ])
  func `what was sent from outside is a comment`(text: String, index: Int, event: ControlEvent) async throws {
    try await check(text, index, event, device)
  }

  @Test(arguments: [
    (
      "connect\nsubscribe out\n< out \"hi\"\n> in \"hello\"\n< out \"hi\"", 2,
      ControlEvent.send(Array("hi".utf8), from: .characteristic(2), message: nil, to: nil)
    ),
    (
      "connect\nsubscribe digits\n< digits ask n=1\n> digits ask n=0\n< digits ask n=1", 2,
      .send([0x3A, 1, 1, 0x0A], from: .characteristic(0), message: 0, to: nil)
    ),
  ])
  func `so it is in encoded streams`(text: String, index: Int, event: ControlEvent) async throws {
    try await check(text, index, event, CodedStreamTests.device)
  }

  private func check(
    _ text: String, _ index: Int, _ event: ControlEvent, _ device: PeripheralDefinition
  ) async throws {
    var section = try #require(try parse(text, for: device).first)
    section.steps.insert(Step(.control(event), line: 1, text: ""), at: index)
    let written = try await transcript(of: section, device)
    #expect(written.contains("# send "))
    #expect(try await report(of: written, with: device) == "", "\(written)")
    let outputs = [text, written].map { $0.split(separator: "\n").count { "<[".contains($0.first!) } }
    #expect(outputs[0] == outputs[1] + 1, "\(written)")
  }

  /// What the central of a device gets, which sends back what is written with one byte more.
  @Test(
    arguments: [
      (["drop out every 2nd"], ["< down  01 00", "< down  03 00"]), (["drop out"], []),
      (["truncate to 1 byte out"], ["< down  01", "< down  02", "< down  03"]),
      (["duplicate out once"], ["< down  01 00", "< down  01 00", "< down  02 00", "< down  03 00"]),
      (["delay 2s out"], ["< down  01 00", "< down  02 00", "< down  03 00"]),
      (["reorder out once"], ["< down  02 00", "< down  01 00", "< down  03 00"]),
      (["merge 2 values out once"], ["< down  01 00 02 00", "< down  03 00"]),
      (
        ["truncate to 1 byte out", "duplicate out once"],
        ["< down  01", "< down  01", "< down  02", "< down  03"]
      ),
      (["drop in every 2nd"], ["< down  01 00", "< down  03 00"]),
      (["duplicate in once"], ["< down  01 00", "< down  01 00", "< down  02 00", "< down  03 00"]),
      (
        ["refuse write-not-permitted on up every 2nd"],
        ["! write-not-permitted", "< down  01 00", "< down  03 00"]
      ),
      (["corrupt 1 bit in"], nil), (["corrupt 2 bytes out 50%"], nil), (["delay 300ms jitter 1s out"], nil),
    ] as [([String], [String]?)])
  func `a journal of faults says what the central wrote and got, and passes with the same faults`(
    faults: [String], output: [String]?
  ) async throws {
    let device = try define(
      """
      blemu: 1
      name: Echo
      faults: [\(faults.map { "\"\($0)\"" }.joined(separator: ", "))]
      services:
        - uuid: FFE0
          characteristics:
            - { id: up, uuid: FFE1, properties: [write] }
            - { id: down, uuid: FFE2, properties: [notify] }
      rules: [{ on: { receive: any, from: up }, do: { send: { bytes: "{frame} 00" }, to: down } }]
      """)
    // The lines with output stand for nothing here: a section stops at the first that fails, so there are none.
    let refused = faults[0].hasPrefix("refuse") ? "\n! write-not-permitted" : ""
    let text =
      "connect\nsubscribe down\n> up 01\n+100ms\n> up 02\(refused)\n+100ms\n> up 03\n+20s"
    let section = try #require(try parse(text, for: device).first)
    let written = try await transcript(of: section, device)
    let lines = written.split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.hasPrefix("> ") } == ["> up  01", "> up  02", "> up  03"], "\(written)")
    let found = lines.filter { $0.hasPrefix("<") || $0.hasPrefix("! ") }
    if let output { #expect(found.sorted() == output.sorted(), "\(written)") }
    #expect(written.contains("# fault "))
    #expect(try await report(of: written, with: device) == "", "\(written)")
  }

  /// A journal has no PDUs, and does not tell which faults somebody has added. Bytes of a wire side at its own speed come in
  /// pieces of any size. What a device makes of the MTU of a link depends on when the central asks for it.
  private func isExcluded(_ section: Transcript.Section, of definition: PeripheralDefinition? = nil) -> Bool {
    let dependsOnMTU =
      definition?.linkValues.contains(.mtu) == true
      && section.steps.contains {
        if case .connect(.client(let mtu, _)) = $0.action { mtu > 23 } else { false }
      }
    let addsFaults = section.steps.contains {
      switch $0.action {
      case .addFault, .removeFault, .removeFaults: true
      default: false
      }
    }
    return section.speaksPDUs || !section.paces.isEmpty || addsFaults || dependsOnMTU
  }
}
