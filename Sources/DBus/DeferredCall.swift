package import EventLoop

/// Keeps a call that is answered later where a ``MethodCall`` itself cannot be kept: in collections and closures.
@EventLoop
package final class DeferredCall {
  private var call: MethodCall?

  package init(_ call: consuming MethodCall) { self.call = consume call }

  /// Hands out the call, once.
  package func take() -> MethodCall? {
    let taken = call.take()
    return taken
  }
}
