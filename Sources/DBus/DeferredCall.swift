package import EventLoop

/// Holds a ``MethodCall`` that is answered later, for collections and closures, which cannot hold the call itself.
@EventLoop
package final class DeferredCall {
  private var call: MethodCall?

  package init(_ call: consuming MethodCall) { self.call = consume call }

  /// Returns the call the first time, then nil.
  package func take() -> MethodCall? {
    let taken = call.take()
    return taken
  }
}
