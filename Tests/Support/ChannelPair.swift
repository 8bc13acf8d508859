import EventLoop
import Glibc
import Kernel

@EventLoop
package func pairOfChannels() -> (L2CAPChannel, L2CAPChannel) {
  let (left, right) = pairOfSockets()
  return (L2CAPChannel(adopting: left), L2CAPChannel(adopting: right))
}

package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
}

package func pairOfSockets() -> (FileDescriptor, FileDescriptor) {
  var ends: [Int32] = [0, 0]
  let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
  precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0)
  return (FileDescriptor(owning: ends[0]), FileDescriptor(owning: ends[1]))
}

/// Bytes as people write them: `A5 06 03`, nothing else.
package func bytes(_ text: String) -> [UInt8] {
  text.split(separator: " ").map { UInt8($0, radix: 16)! }
}
