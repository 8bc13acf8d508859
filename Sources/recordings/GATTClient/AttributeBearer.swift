import EventLoop
import Kernel

/// A central's ATT bearer (Core Specification, Vol 3 Part F 3.2.11): whole PDUs in order, both ways.
@EventLoop
package protocol AttributeBearer: AnyObject {
  /// Why it has ended; nil: it is open.
  var end: LinkEnd? { get }
  /// Called with each PDU of the peripheral. The bearer keeps PDUs that arrive before this is set.
  var onReceive: (@EventLoop ([UInt8]) -> Void)? { get set }
  /// Called once at the end, after the last PDU; not after ``close()``.
  var onEnd: (@EventLoop (LinkEnd) -> Void)? { get set }

  /// Sends a PDU, or lets it wait in order.
  func send(_ packet: [UInt8])
  /// Waits until no PDU waits. Returns false if the bearer has ended before.
  func flush() async -> Bool
  /// Closes the bearer at once and drops waiting PDUs.
  func close()
}

extension L2CAPChannel: AttributeBearer {}
