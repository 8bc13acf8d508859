import Bluetooth
import EventLoop
import PairingAgent
import TestSupport
import Testing

@testable import Management
@testable import TestBeds

/// The central's side of pairing with a kernel that follows a script.
@EventLoop @Suite(.timeLimit(.minutes(10))) struct KernelPairingTests {
  nonisolated private static let peer = LinkAddress(DeviceAddress("C1:02:03:04:05:06")!, .random)
  nonisolated private static let address = "06 05 04 03 02 C1 02"
  nonisolated private static let pair = "> 19 00 01 00 08 00  \(address) 01"
  nonisolated private static let paired = "< 01 00 01 00 0A 00  19 00 00  \(address)"
  nonisolated private static let failed = "< 01 00 01 00 0A 00  19 00 05  \(address)"

  private var questions = Questions()

  @EventLoop private final class Questions {
    var all: [PairingQuestion] = []
  }

  /// Pairs while the kernel of hci1 follows a script; returns whether that succeeds.
  private func pair(_ script: [String], answer: PairingAnswer) async throws -> Bool {
    let (ours, theirs) = pairOfSockets()
    let kernel = FakeKernel(theirs, script.joined(separator: "\n"))
    let controller = LocalController(index: 1, address: LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 1])!))
    let pairing = KernelPairing(ManagementSocket(adopting: ours), controller)
    let isPaired = try await pairing.pair(Self.peer, as: .displayYesNo) { [questions] in
      questions.all.append($0)
      return answer
    }
    #expect(await kernel.outcome() == nil)
    pairing.end()
    return isPaired
  }

  @Test(arguments: [
    (PairingAnswer.yes, "1C", Self.paired, true), (.no, "1D", Self.failed, false),
  ])
  func `the user compares the number`(
    answer: PairingAnswer, opcode: String, end: String, isPaired: Bool
  ) async throws {
    let script = [
      Self.pair, "< 0F 00 01 00 0C 00  \(Self.address) 00 40 E2 01 00",
      "> \(opcode) 00 01 00 07 00  \(Self.address)",
      "< 01 00 01 00 0A 00  \(opcode) 00 00  \(Self.address)", end,
    ]
    #expect(try await pair(script, answer: answer) == isPaired)
    #expect(questions.all == [.compare(123_456)])
  }

  @Test func `without a number the user only agrees`() async throws {
    let script = [
      Self.pair, "< 0F 00 01 00 0C 00  \(Self.address) 01 00 00 00 00",
      "> 1C 00 01 00 07 00  \(Self.address)", "< 01 00 01 00 0A 00  1C 00 00  \(Self.address)", Self.paired,
    ]
    #expect(try await pair(script, answer: .yes))
    #expect(questions.all == [.pair])
  }

  @Test(arguments: [
    (PairingAnswer.enter(123_456), "1E 00 01 00 0B 00  \(Self.address) 40 E2 01 00", "1E"),
    (.no, "1F 00 01 00 07 00  \(Self.address)", "1F"),
  ])
  func `the user enters the passkey, or has none`(
    answer: PairingAnswer, reply: String, opcode: String
  ) async throws {
    let script = [
      Self.pair, "< 10 00 01 00 07 00  \(Self.address)", "> \(reply)",
      "< 01 00 01 00 0A 00  \(opcode) 00 00  \(Self.address)", Self.paired,
    ]
    #expect(try await pair(script, answer: answer))
    #expect(questions.all == [.passkey])
  }

  @Test func `a passkey to show needs no answer, and other controllers get none`() async throws {
    let script = [
      Self.pair, "< 0F 00 00 00 0C 00  \(Self.address) 00 2A 00 00 00",
      "< 17 00 01 00 0C 00  \(Self.address) 07 00 00 00 02",
      "< 0F 00 01 00 0C 00  \(Self.address) 00 40 E2 01 00", "> 1C 00 01 00 07 00  \(Self.address)",
      "< 01 00 01 00 0A 00  1C 00 00  \(Self.address)", Self.paired,
    ]
    #expect(try await pair(script, answer: .yes))
    #expect(questions.all == [.show(7, entered: 2), .compare(123_456)])
  }
}
