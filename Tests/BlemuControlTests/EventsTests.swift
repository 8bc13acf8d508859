import BlemuJSON
import Testing

@testable import BlemuControl

/// The events of a device as a sequence.
@Suite struct EventsTests {
  private let fake = FakeDevice()

  /// Connects twice: the sequence has a connection of its own.
  private func watch(after number: Int = 0) async throws -> Device.Events {
    let device = try await fake.connect()
    return device.events(after: number)
  }

  private func acceptWatch() async throws {
    try await fake.accept()
    let request = try await fake.request()
    #expect(request["method"] == "watch" && request["params"] == ["after": 7])
    try await fake.answer(request, ["first": 1])
  }

  @Test func `they come in order, and end with the device`() async throws {
    let (events, count) = (try await watch(after: 7), 5000)
    async let sent: Void = {
      try await acceptWatch()
      try await fake.events(1...count)
      fake.close()
    }()
    var numbers: [Int] = []
    for try await event in events { numbers.append(event.number) }
    try await sent
    #expect(numbers == Array(1...count))
  }

  @Test func `those that nobody asks for stay with the device`() async throws {
    let link = try await DeviceLink.connect(to: fake.path, patience: .milliseconds(10))
    defer { link.close() }
    try await fake.accept()
    // 3 MB fit into no socket.
    var unsent = FakeDevice.lines(ofEvents: 1...40_000)[...]
    while fake.sendWhatFits(of: &unsent) {
      // The thread reads in every turn, unless it has enough. It ends this request in a later turn than the one now.
      await #expect(throws: ControlFailure.noAnswer) { _ = try await link.call(.status) }
    }
    #expect(!unsent.isEmpty)
    async let sent: Void = fake.send(String(decoding: unsent, as: UTF8.self))
    for number in 1...40_000 {
      guard try await link.nextEvent()?["number"]?.wholeNumber == number else {
        Issue.record("event \(number) is missing")
        break
      }
    }
    try await sent
  }

  @Test func `a task that is cancelled waits no longer`() async throws {
    let events = try await watch(after: 7)
    let task = Task { for try await _ in events {} }
    try await acceptWatch()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `an event has its members`() throws {
    let line = #"""
      {"number": 7, "time": "2026-01-31T12:01:03.221Z", "event": "write", "central": "00:00:00:00:00:02",
      "attribute": "switch", "value": "01 FF", "message": "turn", "fields": {"state": 255, "cells": [{"on": true}]}}
      """#
    let event = Device.Event(try JSONValue(parsing: Array(line.utf8)))
    #expect(event.number == 7 && event.kind == "write" && event.attribute == "switch")
    #expect(event.value == [0x01, 0xFF] && event.message == "turn" && event.fields["state"] == 255)
    #expect(event.fields["cells"]?[0]?["on"] == true && event.members["central"] == "00:00:00:00:00:02")
  }
}
