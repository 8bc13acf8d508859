internal import EventLoop

/// Something registered with a connection: an exported object, a subscription, a watched name.
///
/// It lasts as long as this value, whose end removes it from the connection.
package struct Registration: ~Copyable {
  private let end: @EventLoop @Sendable () -> Void

  init(end: @escaping @EventLoop @Sendable () -> Void) { self.end = end }

  deinit { EventLoop.perform(end) }
}
