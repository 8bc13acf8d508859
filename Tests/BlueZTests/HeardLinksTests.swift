import Bluetooth
import EventLoop
import Glibc
import Kernel
import TestSupport
import Testing

@testable import BlueZ

/// What a program without privileges hears of links: Disconnection Complete, Encryption Change, Command Complete.
@EventLoop @Suite(.timeLimit(.minutes(10))) struct HeardLinksTests {
  private let links: HeardLinks
  private let kernel: FileDescriptor

  init() {
    let (ours, kernel) = pairOfSockets()
    self.kernel = kernel
    links = HeardLinks { _ in HCISocket(adopting: ours) }
    links.follow(0)
  }

  private func tell(_ events: String...) {
    for event in events {
      let packet = bytes("04 " + event)
      send(kernel.rawValue, packet, packet.count, 0)
    }
    links.catchUp()
  }

  @Test func `a link has its end, and its handle belongs to the next one then`() {
    let first = links.link(0x0040)
    tell("08 04 00 40 00 01", "05 04 00 40 00 13", "0E 06 01 1B 20 00 40 00", "05 04 00 41 00 08")
    let second = links.link(0x0040)
    #expect((first.wasEncrypted, first.problems, first.reason) == (true, [], .remoteUserTerminated))
    #expect((second.wasEncrypted, second.problems, second.reason) == (false, [.keyMissing], nil))
  }

  @Test func `a problem is told once, also one from before the central was known`() {
    tell("08 04 3D 40 00 00")
    let link = links.link(0x0040)
    #expect(Array(link.takeProblems()) == [.encryptionFailed(.micFailure)])
    var told = 0
    link.onProblem = { told += 1 }
    tell("0E 06 01 1B 20 00 40 00")
    #expect(told == 1)
    #expect(Array(link.takeProblems()) == [.keyMissing])
    #expect(Array(link.takeProblems()) == [])
  }
}
