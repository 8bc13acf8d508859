import Bluetooth
import EventLoop
import Glibc

extension L2CAPChannel {
  /// Opens the ATT channel to a peripheral, after an LE link if there is none.
  ///
  /// It waits for a peripheral that does not advertise yet, and tries again after a transient error, until the time
  /// limit.
  package static func connect(
    from own: LinkAddress, to peer: LinkAddress, timeLimit: Duration = .seconds(20)
  ) async throws(L2CAPError) -> L2CAPChannel {
    let deadline = EventLoop.now + timeLimit.microseconds
    while true {
      do throws(L2CAPError) {
        return L2CAPChannel(adopting: try await attempt(own, peer, timeLimit, until: deadline))
      } catch {
        guard error.isTransient, EventLoop.now < deadline else { throw error }
      }
      await EventLoop.pause(.milliseconds(100))
      if Task.isCancelled { throw .cancelled }
    }
  }

  /// A connected socket.
  private static func attempt(
    _ own: LinkAddress, _ peer: LinkAddress, _ timeLimit: Duration, until deadline: Int64
  ) async throws(L2CAPError) -> FileDescriptor {
    var error: L2CAPError { L2CAPError(beforehand: errno, own: own, peer: peer) }
    guard let descriptor = SocketAddress(attributesOf: own).boundSocket() else { throw error }
    let isConnected =
      SocketAddress(attributesOf: peer).withPointer { Glibc.connect(descriptor.rawValue, $0, $1) } == 0
    if isConnected { return descriptor }
    guard errno == EINPROGRESS else { throw error }
    let code = await descriptor.connectionOutcome(until: deadline)
    guard code == 0 else { throw L2CAPError(outcome: code, peer: peer, timeLimit: timeLimit) }
    return descriptor
  }
}
