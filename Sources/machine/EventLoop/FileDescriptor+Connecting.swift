import Glibc

extension FileDescriptor {
  /// The outcome of a connection in progress (connect(2), `EINPROGRESS`), as `errno`: 0 for success.
  ///
  /// - Parameter deadline: on the clock of ``EventLoop/now``, microseconds; then the outcome is `ETIMEDOUT`.
  @EventLoop
  package func connectionOutcome(until deadline: Int64) async -> Int32 {
    let code = Promise<Int32>()
    let watch = EventLoop.DescriptorWatch(rawValue, for: .writable) { _ in code.fulfil(self.socketError) }
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

  /// The socket's pending error (SO_ERROR); reading it clears it.
  private var socketError: Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(rawValue, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
  }
}
