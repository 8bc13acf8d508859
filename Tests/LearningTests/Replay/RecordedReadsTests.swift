import Testing

@testable import Learning

/// What a device answers to reads that had several results, or that it refused.
struct RecordedReadsTests {
  @Test(arguments: [
    ("81", "application-error-81"), ("08", "insufficient-authorization"), ("11", "insufficient-resources"),
  ])
  func `a read is refused as it was`(code: String, error: String) throws {
    var memory = try MemoryDevice(RecordedLines("0 connect\n10 =! \(code)\n20 =! \(code)").definition)
    #expect(memory.read() == error)
    #expect(memory.read() == error)
  }

  @Test func `values and errors come in order, and the last one stays`() throws {
    let device = RecordedLines("0 connect\n10 =! 81\n20 = 64\n30 =! 0E\n1000 connect\n1010 = 62")
    var memory = try MemoryDevice(device.definition)
    #expect(memory.read() == "application-error-81")
    #expect(memory.read() == "64")
    #expect(memory.read() == "unlikely-error")
    #expect(memory.read() == "62")
    #expect(memory.read() == "62")
  }

  @Test func `connections that begin alike each begin with the first value`() throws {
    let device = RecordedLines(
      "0 connect\n10 = 01\n20 = 02\n1000 connect\n1010 = 01\n1020 = 02\n1030 = 03\n2000 connect\n2010 = 01")
    var memory = try MemoryDevice(device.definition)
    #expect([memory.read(), memory.read(), memory.read(), memory.read()] == ["01", "02", "03", "03"])
    _ = memory.disconnect()
    _ = memory.connect()
    #expect([memory.read(), memory.read()] == ["01", "02"])
  }

  @Test func `a value that a write set needs no rule`() {
    let device = RecordedLines("0 connect\n10 = 01\n20 > 07\n30 = 07\n40 > 09\n50 = 09")
    let rules = device.definition.device.rules
    #expect(!rules.contains { $0.triggers.contains { if case .read = $0 { true } else { false } } })
  }

  @Test func `a subscription is refused with the recorded error`() throws {
    var memory = try MemoryDevice(RecordedLines("0 connect\n10 subscribe! 83").definition)
    #expect(memory.configure() == "application-error-83")
  }
}
