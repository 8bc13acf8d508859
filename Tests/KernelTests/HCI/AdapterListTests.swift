import Bluetooth
import Testing

@testable import Kernel

@Suite struct AdapterListTests {
  @Test func `the list has a count, and an index for each adapter`() {
    var list = AdapterList()
    #expect(list.bytes[0] == 64)  // how many fit
    list.bytes.replaceSubrange(0..<2, with: [2, 0])
    list.bytes.replaceSubrange(4..<20, with: [3, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    #expect(list.indices == [3, 0x0100])
  }

  @Test func `a count beyond the list is cut`() {
    var list = AdapterList()
    list.bytes.replaceSubrange(0..<2, with: [0xFF, 0xFF])
    #expect(list.indices.count == 64)
  }

  @Test func `the address follows the index and the name`() {
    var information = AdapterInformation(of: 0x0102)
    #expect(Array(information.bytes.prefix(2)) == [0x02, 0x01])
    information.bytes.replaceSubrange(2..<6, with: Array("hci0".utf8))
    information.bytes.replaceSubrange(10..<16, with: [0x13, 0x71, 0xDA, 0x7D, 0x1A, 0x00])
    #expect(information.address == DeviceAddress("00:1A:7D:DA:71:13"))
  }
}
