import Testing

@testable import ControllerModel

@Suite struct EncryptionTests {
  private static func started() -> AirConversation {
    var conversation = AirConversation()
    conversation.connect()
    return conversation
  }

  /// LE Enable Encryption with Rand 01…08, EDIV 0x1234 and a key; up to the request at the peripheral.
  private func start(key: String) -> String {
    """
    a> 01 19 20 1C  40 00  01 02 03 04 05 06 07 08  34 12  \(key)*16
    a< 04 0F 04 00 01 19 20
    20 ms
    b< 04 3E 0D  05 40 00  01 02 03 04 05 06 07 08  34 12
    """
  }

  private let answer = """
    b> 01 1A 20 12  40 00  AA*16
    b< 04 0E 06 01 1A 20 00  40 00
    """

  @Test func `both hosts have the key`() {
    var conversation = Self.started()
    expect(
      &conversation,
      """
      \(start(key: "AA"))
      \(answer)
      40 ms
      a< 04 08 04  00 40 00 01
      b< 04 08 04  00 40 00 01
      # again: the key is refreshed
      \(start(key: "AA"))
      \(answer)
      40 ms
      a< 04 30 03  00 40 00
      b< 04 30 03  00 40 00
      """)
  }

  @Test func `the peripheral's host has no key`() {
    var conversation = Self.started()
    expect(
      &conversation,
      """
      \(start(key: "AA"))
      b> 01 1B 20 02  40 00
      b< 04 0E 06 01 1B 20 00  40 00
      20 ms
      a< 04 08 04  06 40 00 00
      1 s
      """)
  }

  @Test func `a peripheral whose host cannot be asked has no key`() {
    var conversation = Self.started()
    expect(
      &conversation,
      """
      b> 01 01 20 08  00 00 00 00 00 00 00 00
      b< 04 0E 04 01 01 20 00
      a> 01 19 20 1C  40 00  00*8  00 00  AA*16
      a< 04 0F 04 00 01 19 20
      30 ms
      a< 04 08 04  06 40 00 00
      """)
  }

  @Test func `a peripheral that cannot decrypt leaves`() {
    var conversation = Self.started()
    expect(
      &conversation,
      """
      \(start(key: "BB"))
      \(answer)
      30 ms
      b< 04 05 04  00 40 00 3D
      1 s
      a< 04 05 04  00 40 00 08
      """)
  }

  @Test func `an encrypted link ends without a new key`() {
    var conversation = Self.started()
    conversation.prepare(start(key: "AA"))
    conversation.prepare(answer + "\n50 ms")
    expect(
      &conversation,
      """
      \(start(key: "AA"))
      b> 01 1B 20 02  40 00
      b< 04 0E 06 01 1B 20 00  40 00
      20 ms
      a< 04 05 04  00 40 00 06
      b< 04 05 04  00 40 00 06
      """)
  }

  @Test func `data waits until the link is encrypted`() {
    var conversation = Self.started()
    expect(
      &conversation,
      """
      a> 02  40 00  05 00  01 00 04 00  01              # before: goes first
      \(start(key: "AA").replacing("b<", with: "a< 04 13 05  01 40 00 01 00\nb< 02  40 20  05 00  01 00 04 00  01\nb<"))
      a> 02  40 00  05 00  01 00 04 00  02
      b> 02  40 00  05 00  01 00 04 00  03
      1 s
      \(answer)
      50 ms
      a< 04 08 04  00 40 00 01
      a< 02  40 20  05 00  01 00 04 00  03
      b< 04 08 04  00 40 00 01
      b< 04 13 05  01 40 00 01 00
      a< 04 13 05  01 40 00 01 00
      b< 02  40 20  05 00  01 00 04 00  02
      """)
  }

  @Test func `only the central starts`() {
    var conversation = Self.started()
    expect(
      &conversation,
      """
      b> 01 19 20 1C  40 00  00*8  00 00  AA*16
      b< 04 0F 04 0C 01 19 20
      """)
  }
}
