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
    let code = await outcome(of: descriptor, until: deadline)
    guard code == 0 else { throw L2CAPError(outcome: code, peer: peer, timeLimit: timeLimit) }
    return descriptor
  }

  /// The outcome of a connection in progress, as `errno`: 0 for success.
  private static func outcome(of descriptor: FileDescriptor, until deadline: Int64) async -> Int32 {
    let code = Promise<Int32>()
    let watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .writable) { _ in
      code.fulfil(descriptor.socketError)
    }
    let timer = EventLoop.Timer { code.fulfil(ETIMEDOUT) }
    timer.fire(at: deadline)
    defer {
      watch.end()
      timer.cancel()
    }
    return await withTaskCancellationHandler {
      await code.value()
    } onCancel: {
      EventLoop.perform { code.fulfil(ECANCELED) }
    }
  }
}

extension FileDescriptor {
  /// The socket's pending error (SO_ERROR); reading it clears it.
  fileprivate var socketError: Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(rawValue, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
  }
}
