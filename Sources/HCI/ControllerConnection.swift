import EventLoop

/// A connection to a controller: whole HCI packets both ways, each with its type (Core Specification, Vol 4 Part A 2).
@EventLoop
package protocol ControllerConnection: AnyObject {
  /// Called with each packet of the controller, whose bytes are borrowed.
  var onPacket: (@EventLoop (ArraySlice<UInt8>) -> Void)? { get set }
  /// Called after the last of the packets that were read at once.
  var onBatchEnd: (@EventLoop () -> Void)? { get set }
  /// Called once when the connection has ended by itself, with the reason as a clause.
  var onEnd: (@EventLoop (String) -> Void)? { get set }

  /// Sends packets in order; those that the other side does not take at once wait.
  ///
  /// - Parameters:
  ///   - bytes: all packets, one after the other.
  ///   - ends: where each ends in `bytes`.
  func send(_ bytes: [UInt8], ends: [Int])
  /// Closes the connection at once.
  func close()
}
