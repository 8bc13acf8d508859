import Bluetooth
import Framing
import Testing

@testable import Learning

/// What a device that answers as recorded does with requests that were never recorded.
struct RecordedKindTests {
  @Test func `an answer repeats the sequence number and has its own checksum`() throws {
    // 0A, a number, what is asked for, the sum of all; the answer has the number plus 40.
    let device = RecordedLines(
      """
      0 connect
      10 subscribe
      100 > 0A 01 10 1B
      120 < 0B 41 77 C3
      200 > 0A 02 20 2C
      220 < 0B 42 88 D5
      300 > 0A 03 10 1D
      320 < 0B 43 77 C5
      400 > 0A 04 30 3E
      420 < 0B 44 99 E8
      """)
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    _ = memory.write("0A 07 20 31")
    #expect(memory.wait(50) == ["20 0B 47 88 DA"])
    // With another checksum.
    _ = memory.write("0A 08 10 00")
    #expect(memory.wait(50) == ["20 0B 48 77 CA"])
    #expect(device.definition.device.messages.contains { $0.source == "0A {byte-1: u8} 10 {check-3: u8}" })
  }

  @Test func `a number that alone tells what is asked for is no sequence number`() throws {
    let device = RecordedLines(
      """
      0 connect
      10 subscribe
      100 > 05 01
      120 < 85 17
      200 > 05 02
      220 < 85 29
      300 > 05 03
      320 < 85 04
      """)
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    _ = memory.write("05 03")
    #expect(memory.wait(50) == ["20 85 04"])
  }

  @Test func `a request of another length or with other data is answered like one of its kind`() throws {
    let device = RecordedLines(
      """
      0 connect
      10 subscribe
      100 > AA 97 00 31 17
      200 > AA 6C 00 79 62
      210 < AA 01
      300 > AA 6C 01 4B D3
      310 < AA 02
      400 > AA 20 01
      410 < AA 03
      """)
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    _ = memory.write("AA 6C 01 00 00 00")
    #expect(memory.wait(50) == ["10 AA 02"])
    _ = memory.write("AA 6C 07")
    #expect(memory.wait(50) == ["10 AA 01"])
    _ = memory.write("AA 97 00 00 00")
    _ = memory.write("AA 55 00 00 00")
    #expect(memory.wait(50) == [])
  }

  @Test func `a text command is answered like one with the same word`() throws {
    let device = RecordedLines(
      """
      0 connect
      10 subscribe
      100 > 41 54 2B 4E 41 3D 31
      110 < 4F 4B
      200 > 41 54 2B 4E 4F 3D 32
      210 < 4E 4F
      """)
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    _ = memory.write("41 54 2B 4E 4F 3D 37")
    #expect(memory.wait(50) == ["10 4E 4F"])
    _ = memory.write("41 54 2B 4E 50")
    #expect(memory.wait(50) == [])
  }

  @Test func `an answer repeats another value than the recorded ones`() throws {
    // The answer has the value as text, and the value plus 81.
    let device = RecordedLines(
      """
      0 connect
      10 subscribe
      100 > 3B 10
      120 < 04 31 30 91
      200 > 3B 20
      220 < 04 32 30 A1
      300 > 3B 3A
      320 < 04 33 41 BB
      400 > 3C 00
      """)
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    _ = memory.write("3B 6F")
    #expect(memory.wait(50) == ["20 04 36 46 F0"])
    _ = memory.write("3B 10")
    #expect(memory.wait(50) == ["20 04 31 30 91"])
  }

  @Test func `an answer repeats what all answers repeat, also of a kind that was recorded once`() throws {
    let device = RecordedLines(
      """
      0 connect
      10 subscribe
      100 > 03 00
      120 < F0 03 00 00
      200 > 02 00 AA
      220 < F0 02 00 00 01
      300 > 02 02 AB
      320 < F0 02 02 00 02
      400 > 01 02
      420 < F0 01 02 00
      """)
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    #expect(memory.ask("03 02") == ["F0 03 02 00"])
  }

  @Test func `an answer repeats the sequence number, also of a kind that was recorded once`() throws {
    let device = RecordedLines(
      """
      0 connect
      10 subscribe
      100 > 08 01 06
      120 < 09 01 18
      200 > 0A 02 05
      220 < 0B 02 77 55
      300 > 08 03 07
      320 < 09 03 19
      400 > 08 04 06
      420 < 09 04 18
      """)
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    #expect(memory.ask("0A 09 05") == ["0B 09 77 55"])
  }

  @Test func `values that still came when the link ended go on, until a request comes`() throws {
    var lines = ["0 connect", "10 subscribe", "100 > 01", "120 < 81"]
    for number in 1...6 { lines.append("\(120 + 500 * number) < A0 0\(number)") }
    let device = RecordedLines(
      (lines + ["4000 connect", "4010 subscribe", "4020 > 02"]).joined(separator: "\n"))
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    _ = memory.write("01")
    let values = memory.wait(6000)
    #expect(values.starts(with: ["20 81", "520 A0 01", "1020 A0 02"]))
    #expect(values.count > 10)
    _ = memory.write("02")
    #expect(memory.wait(2000) == [])
  }

  @Test func `a request of the same kind begins anew with values that last`() throws {
    var lines = ["0 connect", "10 subscribe", "100 > 01"]
    for number in 1...20 { lines.append("\(100 + 100 * number) < A0 \(hexadecimal(number))") }
    let device = RecordedLines((lines + ["9000 > 02"]).joined(separator: "\n"))
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    _ = memory.write("01")
    #expect(memory.wait(250) == ["100 A0 01", "200 A0 02"])
    _ = memory.write("01")
    #expect(memory.wait(250) == ["100 A0 01", "200 A0 02"])
  }

  @Test func `the data of a long transfer is one message`() throws {
    var lines = ["0 connect", "10 subscribe"]
    for number in 0..<300 {
      let (high, low) = (number * 37 % 251, number * 11 % 241)
      lines.append(
        "\(100 + 20 * number) > \(hexadecimal(high)) \(hexadecimal(low)) \(hexadecimal(number / 2))")
      if number % 50 == 0 { lines.append("\(105 + 20 * number) < 11 \(hexadecimal(number % 256))") }
    }
    let definition = RecordedLines(lines.joined(separator: "\n")).definition
    #expect(definition.device.rules.count < 4)
    #expect(definition.device.messages.count < 4)
  }

  @Test func `a clock that was set may be set to another time`() throws {
    // 14 November 2023, 22:13:20 UTC, in seconds since 1970; the recording is half an hour ahead of it.
    let seconds: Int64 = 1_700_000_000
    let bytes: [UInt8] = [0x12, 0x65, 0x53, 0xF1, 0x00]
    #expect(ClockBytes.places(in: bytes, at: .milliseconds((seconds + 1800) * 1000)) == [1, 2, 3, 4])
    let numbers: [UInt8] = [0x83, 23, 11, 14, 22, 13, 20]
    #expect(ClockBytes.places(in: numbers, at: .milliseconds(seconds * 1000)) == Set(1...6))
    #expect(ClockBytes.places(in: numbers, at: .milliseconds((seconds + 100) * 1000)) == [])
    let decimal: [UInt8] = [0x83, 0x23, 0x11, 0x14, 0x22, 0x13, 0x20]
    #expect(ClockBytes.places(in: decimal, at: .milliseconds(seconds * 1000)) == Set(1...6))
  }

  @Test func `a device that refused all writes refuses them, and others have no effect`() throws {
    let device = RecordedLines(
      """
      0 connect
      10 subscribe
      20 ! 01
      30 ! 02
      """)
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    #expect(memory.write("01") == ["refused: application-error-80"])
    #expect(memory.write("03") == [])
  }

  private func hexadecimal(_ number: Int) -> String { UInt8(number).hexadecimal(digits: 2) }
}
