import Captures
import Framing
import Testing

@testable import Learning

struct ConversationTests {
  @Test func `a request and its response are one exchange`() {
    let exchanges = conversation(
      """
      > 12 20 00 01 00
      < 1B 10 00 41 54
      < 13
      > 0A 03 00
      < 01 0A 03 00 05
      """
    ).exchanges
    #expect(
      exchanges == [
        Exchange(
          .write([1, 0], .request, .success(nil)), handle: 0x20, at: Instant(), answered: .milliseconds(2)),
        Exchange(.value([0x41, 0x54], .notification), handle: 0x10, at: .milliseconds(1)),
        Exchange(
          .read(.refused(.insufficientAuthentication)), handle: 3, at: .milliseconds(3),
          answered: .milliseconds(4)),
      ])
  }

  @Test func `a long read is one exchange`() {
    let exchanges = conversation(
      """
      > 0A 03 00
      < 0B 01 02
      > 0C 03 00 02 00
      < 0D 03
      > 0C 03 00 03 00
      < 01 0C 03 00 07
      """
    ).exchanges
    #expect(exchanges.map(\.kind) == [.read(.success([1, 2, 3]))])
    #expect(exchanges.first?.answered == .milliseconds(3))
  }

  @Test func `a part of a value whose beginning is missing says nothing`() {
    #expect(conversation("> 0C 03 00 16 00\n< 0D 03").exchanges.map(\.kind) == [.read(.unknown)])
  }

  @Test func `prepared writes are one exchange for each value`() {
    let exchanges = conversation(
      """
      > 16 05 00 00 00 01 02
      < 17 05 00 00 00 01 02
      > 16 05 00 02 00 03
      < 17 05 00 02 00 03
      > 16 07 00 00 00 09
      < 17 07 00 00 00 09
      < 1B 10 00 41
      > 18 01
      < 19
      """
    ).exchanges
    #expect(
      exchanges == [
        Exchange(
          .write([1, 2, 3], .reliable, .success(nil)), handle: 5, at: Instant(), answered: .milliseconds(8)),
        Exchange(
          .write([9], .reliable, .success(nil)), handle: 7, at: .milliseconds(4), answered: .milliseconds(8)),
        Exchange(.value([0x41], .notification), handle: 0x10, at: .milliseconds(6)),
      ])
  }

  @Test func `a cancelled write is no exchange, and a refused one is`() {
    #expect(conversation("> 16 05 00 00 00 01\n< 17 05 00 00 00 01\n> 18 00\n< 19").exchanges.isEmpty)
    #expect(
      conversation("> 16 05 00 00 00 01\n< 01 16 05 00 09\n> 18 00\n< 19").exchanges.map(\.kind)
        == [.write([1], .reliable, .refused(.prepareQueueFull))])
  }

  @Test func `what has no response in the recording is unknown`() {
    let kinds = conversation("< 0B 07\n> 0A 03 00\n> 12 03 00 01\n> 52 03 00 02").exchanges.map(\.kind)
    #expect(
      kinds == [
        .read(.unknown), .write([1], .request, .unknown), .write([2], .command, .unknown),
      ])
  }

  @Test func `values that are read together are apart`() {
    let exchanges = conversation(
      """
      > 0A 03 00
      < 0B 01 02
      > 0E 03 00 05 00
      < 0F 03 04 05
      > 20 03 00 05 00
      < 21 01 00 07 02 00 08 09
      > 08 01 00 FF FF 19 2A
      < 09 03 2D 00 64
      """
    ).exchanges
    #expect(exchanges.map(\.handle) == [3, 3, 5, 3, 5, 0x2D])
    #expect(
      exchanges.dropFirst().map(\.kind)
        == [[3, 4], [5], [7], [8, 9], [0x64]].map { .read(.success($0)) })
  }

  @Test func `notifications in one PDU are apart, and an indication is answered by its confirmation`() {
    let exchanges = conversation("< 23 03 00 01 00 07 05 00 02 00 08 09\n< 1D 07 00 01\n> 1E").exchanges
    #expect(
      exchanges == [
        Exchange(.value([7], .notification), handle: 3, at: Instant()),
        Exchange(.value([8, 9], .notification), handle: 5, at: Instant()),
        Exchange(.value([1], .indication), handle: 7, at: .milliseconds(1), answered: .milliseconds(2)),
      ])
  }

  @Test func `the device as a client, and bytes that are no PDU, are left out`() {
    let conversation = conversation("< 0A 03 00\n> 0B 01\n< 02 17 00\n> 03 17 00\n> 0A\n<\n< 1B 01")
    #expect(conversation.exchanges.isEmpty)
    #expect(conversation.mtuExchanges.isEmpty)
  }

  @Test func `a central may ask for its MTU twice`() {
    #expect(
      conversation("> 02 BC 00\n< 03 F7 00\n> 02 BC 00").mtuExchanges
        == [.init(central: 188, device: 247), .init(central: 188, device: nil)])
  }
}
