import Glibc

/// Runs what waits for the kernel on a thread of its own, so that no thread of the tasks waits.
package func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    startThread { continuation.resume(with: Swift.Result(catching: body)) }
  }
}

/// Starts a thread that runs `body` and ends.
func startThread(_ body: @escaping @Sendable () -> Void) {
  var thread = pthread_t()
  let context = Unmanaged.passRetained(ThreadBody(body))
  let code = pthread_create(
    &thread, nil,
    {
      Unmanaged<ThreadBody>.fromOpaque($0!).takeRetainedValue().run()
      return nil
    }, context.toOpaque())
  precondition(code == 0, "the process may have another thread")
  pthread_detach(thread)
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
