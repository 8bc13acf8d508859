import BlemuJSON
import TestSupport
import Testing

@testable import BlemuControl

/// Compares the requests of the client with the methods of the control protocol.
@Suite struct MethodTests {
  /// Methods that the client does not offer: for the command line, for the page, for a connection with several watches, and for
  /// libraries on top of a central.
  private static let others: Set<ControlMethod> = [.share, .expectations, .unwatch, .unintercept, .central]

  /// Parameters that the client does not offer: for the page, and for programs that take the journal in text.
  private static let notOffered: [ControlMethod: Set<String>] = [
    .get: ["partial"], .journal: ["wait"], .watch: ["format"],
  ]

  @Test func `the client offers every parameter of every method`() async throws {
    let fake = FakeDevice()
    var sent: [String: Set<String>] = [:]
    func note(_ request: JSONValue) {
      sent[request["method"]?.text ?? "", default: []].formUnion(
        (request["params"]?.members ?? []).map(\.name))
    }
    let device = try await fake.connect()
    let calls = Task { await Self.askEverything(device) }
    while sent["stop"] == nil {
      let request = try await fake.request()
      note(request)
      try await fake.answer(request, Self.result)
    }
    await calls.value
    let watching = Task { for try await _ in device.events(after: 1) {} }
    try await fake.accept()
    note(try await fake.request())
    watching.cancel()
    let answering = Task {
      try await device.withAnswers(to: "read level", within: .seconds(1), { _ in .bytes([]) }, during: {})
    }
    try await fake.accept()
    note(try await fake.request())
    answering.cancel()
    note(try await fake.request())

    for method in ControlMethod.allCases where !Self.others.contains(method) {
      let names = Set(method.parameters.map(\.name)).subtracting(Self.notOffered[method] ?? [])
      #expect(sent[method.rawValue] == names, "\(method)")
    }
    #expect(Set(sent.keys).isDisjoint(with: Self.others.map(\.rawValue)))
  }

  @Test func `the table of the reference has every method once`() throws {
    let path = Repository.path + "Peripherals/guide/control-protocol.md"
    let page = String(decoding: try #require(Repository.bytes(ofFile: path)), as: UTF8.self)
    let table = page.split(separator: "\n").drop { !$0.hasPrefix("| method |") }.dropFirst(2)
      .prefix { $0.hasPrefix("|") }
    let names = table.flatMap { $0.split(separator: "|")[0].split(separator: "`") }
      .filter { $0.allSatisfy(\.isLetter) }.map(String.init)
    #expect(names.sorted() == ControlMethod.allCases.map(\.rawValue).sorted())
  }

  /// What every method takes for a result.
  private static let result: JSONValue = [
    "values": ["a": 1], "events": [], "after": 0, "last": 0, "faults": [], "number": 1, "head": "",
  ]

  private static func askEverything(_ device: Device) async {
    _ = try? await device.describe()
    _ = try? await device.status()
    _ = try? await device.get("a")
    _ = try? await device.set(["a": 1])
    _ = try? await device.press("button", 1)
    for content: Device.Content in [.words("4F"), .bytes([]), .text("OK"), .message("turn", ["state": 1])] {
      _ = try? await device.send(content, from: "switch", to: "00:00:00:00:00:02")
      _ = try? await device.wire(content)
    }
    _ = try? await device.act("connect")
    _ = try? await device.advertise()
    _ = try? await device.disconnect("00:00:00:00:00:02", reason: "remote-low-resources")
    _ = try? await device.forget("00:00:00:00:00:02")
    _ = try? await device.reset()
    _ = try? await device.addFault("drop")
    try? await device.removeFault(1)
    try? await device.removeFaults()
    _ = try? await device.advance(by: .seconds(1))
    _ = try? await device.transcript()
    _ = try? await device.journal()
    _ = try? await device.expect("connect", atLeast: 1, atMost: 2, within: .seconds(1), after: 3)
    try? await device.stop()
  }
}
