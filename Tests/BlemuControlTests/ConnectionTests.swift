import BlemuJSON
import Glibc
import TestSupport
import Testing

@testable import BlemuControl

/// What may happen on the connection to a device.
@Suite struct ConnectionTests {
  private let fake = FakeDevice()

  @Test func `answers may come in any order, with events between them`() async throws {
    let device = try await fake.connect()
    async let first = device.get("a")
    let a = try await fake.request()
    async let second = device.get("b")
    let b = try await fake.request()
    try await fake.events(1...1)
    try await fake.answer(b)
    try await fake.events(2...2)
    #expect(try await second == "value of b")
    try await fake.answer(a)
    #expect(try await first == "value of a")
  }

  @Test func `many tasks may ask at once`() async throws {
    let (device, count) = (try await fake.connect(), 1000)
    async let served: Void = answerInPairs(count)
    let values = try await withThrowingTaskGroup(of: (Int, Device.Value).self) { group in
      for number in 0..<count { group.addTask { (number, try await device.get("n\(number)")) } }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    try await served
    #expect(values.count == count)
    #expect(values.allSatisfy { $0.value == .text("value of n\($0.key)") })
  }

  /// Answers the second of two requests first.
  private func answerInPairs(_ count: Int) async throws {
    for _ in 0..<count / 2 {
      let requests = (try await fake.request(), try await fake.request())
      try await fake.answer(requests.1)
      try await fake.answer(requests.0)
    }
  }

  @Test func `a device that dies fails all that wait, and all that come later`() async throws {
    let device = try await fake.connect()
    let first = Task { try await device.get("a") }
    let second = Task { try await device.get("b") }
    _ = try await (fake.request(), fake.request())
    fake.close()
    await #expect(throws: ControlFailure.ended) { try await first.value }
    await #expect(throws: ControlFailure.ended) { try await second.value }
    await #expect(throws: ControlFailure.ended) { try await device.status() }
  }

  @Test func `a device that does not answer fails what waits, and may answer the next request`() async throws
  {
    let device = try await fake.connect(patience: .milliseconds(10))
    let late = Task { try await device.get("a") }
    let a = try await fake.request()
    await #expect(throws: ControlFailure.noAnswer) { try await late.value }
    try await fake.answer(a)
    let patient = try await fake.connect()
    async let next = patient.get("b")
    try await fake.answer(try await fake.request())
    #expect(try await next == "value of b")
  }

  @Test func `a request that the device is told to wait for has more time`() async throws {
    let device = try await fake.connect(patience: .milliseconds(10))
    async let met = device.expect("connect", within: .seconds(600))
    let request = try await fake.request()
    #expect(request["params"]?["within"] == 600_000)
    // A later request that the device leaves unanswered: its end shows that the thread has looked at the deadlines.
    await #expect(throws: ControlFailure.noAnswer) { try await device.get("a") }
    try await fake.answer(request, ["events": [], "after": 7])
    #expect(try await met == [])
  }

  @Test(arguments: [
    "nonsense", "{}", "[1]", #"{"id": "x", "result": {}}"#, #"{"id": null, "result": {}}"#, "",
  ])
  func `what is no answer ends the connection`(line: String) async throws {
    let device = try await fake.connect()
    let value = Task { try await device.get("a") }
    _ = try await fake.request()
    try await fake.send(line + "\n")
    let failure = try #require(await #expect(throws: ControlFailure.self) { try await value.value })
    guard case .notUnderstood = failure else { throw failure }
    await #expect(throws: failure) { try await device.get("b") }
  }

  @Test func `an answer to a line that the device could not read fails what waits`() async throws {
    let device = try await fake.connect()
    let value = Task { try await device.get("a") }
    _ = try await fake.request()
    try await fake.send(#"{"id": null, "error": {"code": -32700, "message": "not JSON"}}"# + "\n")
    await #expect(throws: ControlFailure.refused(ControlError(.notJSON, "not JSON"))) {
      try await value.value
    }
  }

  @Test(arguments: [1021, 70_001]) func `a long answer may come in any parts`(size: Int) async throws {
    let device = try await fake.connect()
    let text = String(repeating: "0123456789ü", count: 15_000)
    async let value = device.get("a")
    try await fake.answer(
      try await fake.request(), ["values": ["a": .string(text)]], inPartsOf: size)
    #expect(try await value == .text(text))
  }

  @Test func `a device that does not read delays only what is sent`() async throws {
    let device = try await fake.connect()
    let text = String(repeating: "0123456789", count: 50_000)
    async let outcomes = withThrowingTaskGroup(of: Device.Outcome.self) { group in
      for _ in 0..<2 { group.addTask { try await device.wire(.text(text)) } }
      return try await group.reduce(into: []) { $0.append($1.after) }
    }
    for number in 0..<2 {
      let request = try await fake.request()
      #expect(request["params"]?["text"]?.text == text)
      try await fake.answer(request, ["after": .integer(number), "warnings": []])
    }
    #expect(try await outcomes.sorted() == Array(0..<2))
  }

  @Test func `what a device reads no longer is not sent again and again`() async throws {
    let device = try await fake.connect(patience: .milliseconds(10))
    fake.stopReading()
    await #expect(throws: ControlFailure.noAnswer) { try await device.get("a") }
  }

  @Test func `a task that is cancelled waits no longer, and the others do`() async throws {
    let device = try await fake.connect()
    let task = Task { try await device.get("a") }
    let a = try await fake.request()
    async let other = device.get("b")
    let b = try await fake.request()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let cancel = try await fake.request()
    #expect(cancel["method"] == "cancel")
    #expect(cancel["params"] == ["id": a["id"] ?? .null])
    try await fake.answer(a)
    try await fake.answer(cancel, ["cancelled": false])
    try await fake.answer(b)
    #expect(try await other == "value of b")
  }

  @Test func `a task that was cancelled before asks for nothing`() async throws {
    let device = try await fake.connect()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      _ = try await device.get("a")
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    async let next = device.get("b")
    let request = try await fake.request()
    #expect(request["params"] == ["names": ["b"]])
    try await fake.answer(request)
    _ = try await next
  }

  @Test func `a request of the device that nobody knows is refused`() async throws {
    let device = try await fake.connect()
    try await fake.send(#"{"jsonrpc": "2.0", "id": "dance-1", "method": "dance", "params": {}}"# + "\n")
    let response = try await fake.request()
    #expect(response["id"] == "dance-1")
    #expect(response["error"] == ["code": -32601, "message": "there is no method 'dance'"])
    _ = device
  }

  @Test func `the connection ends with the device that nobody has`() async throws {
    var device: Device? = try await fake.connect()
    #expect(device != nil)
    device = nil
    await #expect(throws: ControlFailure.ended) { try await fake.request() }
  }

  @Test func `no device has this name`() async throws {
    let failure = await #expect(throws: ControlFailure.self) { try await Device("no-such-device") }
    guard case .noDevice("no-such-device", _) = failure else { throw failure ?? .ended }
    let path = "/tmp/" + String(repeating: "x", count: 200)
    await #expect(throws: ControlFailure.longPath(path)) { try await Device(path) }
    await #expect(throws: ControlFailure.noConnection("/dev/null/x", reason: "Not a directory")) {
      try await Device("/dev/null/x")
    }
  }

  @Test func `a device that takes no further connection is there, and does not hold up the others`()
    async throws
  {
    let sockets = try (0..<8).map { _ in try #require(fake.knock()) }
    #expect(DeviceSocket.isAnswering(at: fake.path))
    sockets.forEach { close($0) }
  }
}
