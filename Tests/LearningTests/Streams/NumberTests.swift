import Framing
import Learning
import Testing

/// What the fields of one message are taken for.
struct NumberTests {
  private static func fields(_ values: [[UInt8]], _ direction: ValueStream.Direction = .fromDevice)
    -> [LearntField]
  {
    var stream = ValueStream(3, id: "FFE1", uuid: 0xFFE1, direction)
    stream.values = values.enumerated().map { index, bytes in
      .init(
        bytes, at: .milliseconds(1_700_000_000_000 + Int64(index) * 1000), conversation: 0, exchange: index)
    }
    return StreamAnalysis(stream).messages.flatMap(\.parts).compactMap {
      if case .field(let field) = $0 { field } else { nil }
    }
  }

  private static func bytes(_ number: Float, _ order: ByteOrder) -> [UInt8] {
    order.bytes(of: UInt64(number.bitPattern), width: 4)
  }

  @Test(arguments: [ByteOrder.littleEndian, .bigEndian])
  func `several floats that change by little`(order: ByteOrder) {
    let measured = (0..<30).map { index -> [UInt8] in
      let numbers = (0..<4).map { cell -> Float in 3.3 + Float(index * 37 % 29 + cell) * 0.0123457 }
      return [0xA0, 0x01] + numbers.flatMap { Self.bytes($0, order) }
    }
    #expect(
      Self.fields(measured) == [2, 6, 10, 14].map { LearntField("number-\($0)", width: 4, .float(order)) })
  }

  @Test(arguments: [ByteOrder.littleEndian, .bigEndian])
  func `numbers of one message have one byte order and one alignment`(order: ByteOrder) {
    let values = (0..<40).map { index -> [UInt8] in
      let numbers = (0..<3).map { place -> UInt64 in UInt64(1000 + index * 37 + place * 300) }
      return [0xA0] + numbers.flatMap { order.bytes(of: $0, width: 2) }
    }
    let fields = Self.fields(values)
    #expect(fields.map { $0.width } == [2, 2, 2])
    #expect(fields.allSatisfy { $0.meaning == LearntField.Meaning.counter(order, step: 37) })
  }

  @Test func `two values that alternate are no counter`() {
    let fields = Self.fields((0..<12).map { index -> [UInt8] in [0xA0, index % 2 == 0 ? 0x01 : 0x79, 0x05] })
    #expect(fields.allSatisfy { if case .counter = $0.meaning { false } else { true } })
  }

  @Test func `a time that was sent once is a time`() {
    let seconds = ByteOrder.bigEndian.bytes(of: 1_700_000_000 + 3600, width: 4)
    #expect(
      Self.fields([[0x10] + seconds], .fromCentral) == [
        LearntField("time-1", width: 4, .unixTime(.bigEndian))
      ])
    // 14 November 2023, 22:13:20 UTC, which is 1,700,000,000.
    let forms: [[UInt8]] = [
      [0xE7, 0x07, 11, 14, 22, 13, 20], [0x07, 0xE7, 11, 14, 22, 13, 20], [23, 11, 14, 22, 13, 20],
      [0x20, 0x23, 0x11, 0x14, 0x22, 0x13, 0x20], [0x23, 0x11, 0x14, 0x22, 0x13, 0x20],
    ]
    for form in forms {
      #expect(
        Self.fields([[0x93, 0x55] + form], .fromCentral)
          == [LearntField("time-2", width: form.count, .calendar)])
    }
  }

  @Test func `a byte that counts the requests of all kinds is a counter in each of them`() {
    let kinds: [UInt8] = [1, 2, 1, 3, 1, 2, 1, 2, 1, 1, 2, 1]
    let rests: [[UInt8]] = [[], [], [0x09, 0x08], [0x07]]
    let values = kinds.indices.map { index -> [UInt8] in
      [0x00, UInt8(0x20 + index), kinds[index]] + rests[Int(kinds[index])]
    }
    let fields = Self.fields(values, .fromCentral)
    #expect(fields.count == 3)
    #expect(fields.allSatisfy { $0.meaning == LearntField.Meaning.counter(.bigEndian, step: 1) })
  }
}
