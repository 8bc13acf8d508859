import Framing
import Testing

@Suite struct ByteReaderTests {
  private static let bytes: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08]

  @Test(
    arguments: [
      (.littleEndian, 0x0201, 0x05_0403, 0x0706, 0x0807_0605_0403_0201),
      (.bigEndian, 0x0102, 0x03_0405, 0x0607, 0x0102_0304_0506_0708),
    ] as [(ByteOrder, UInt16, UInt32, Int16, UInt64)])
  func `numbers have the order of their bytes`(
    order: ByteOrder, two: UInt16, three: UInt32, signed: Int16, eight: UInt64
  ) {
    var reader = ByteReader(Self.bytes, order)
    let numbers = (reader.number() as UInt16?, reader.number(UInt32.self, size: 3), reader.number(Int16.self))
    let ends = (reader.byte(), reader.byte())
    #expect(numbers == (two, three, signed))
    #expect(ends == (0x08, nil))
    reader = ByteReader(Self.bytes[...], order)
    let whole: UInt64? = reader.number()
    #expect(whole == eight)
  }

  @Test func `a number may be negative`() {
    var reader = ByteReader([0xFE, 0xFF, 0xFF] as [UInt8])
    let numbers = (reader.number(Int16.self), reader.number(Int8.self))
    #expect(numbers == (-2, -1))
  }

  @Test func `what is not there is not taken`() {
    var reader = ByteReader(Self.bytes)
    let missing = (reader.bytes(9), reader.bytes(-1), reader.number(UInt64.self, size: 9))
    #expect(missing == (nil, nil, nil))
    let first = reader.bytes(7)
    #expect(first == [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07])
    let number: UInt16? = reader.number()
    #expect(number == nil)
    #expect(reader.rest == [0x08])
  }

  @Test func `bytes are dropped as far as there are any`() {
    var reader = ByteReader(Self.bytes)
    let isWhole = (reader.skip(6), reader.rest.count, reader.skip(3), reader.rest.count)
    #expect(isWhole == (true, 2, false, 0))
  }

  @Test func `the bytes of a number begin with the least significant`() {
    #expect(UInt32(0x0102_0304).littleEndianBytes == [0x04, 0x03, 0x02, 0x01])
    #expect(Int16(-2).littleEndianBytes == [0xFE, 0xFF])
  }
}
