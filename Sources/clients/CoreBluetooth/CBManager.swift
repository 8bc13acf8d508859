@_exported public import Dispatch
@_exported public import Foundation

/// Whether Bluetooth can be used.
public enum CBManagerState: Int, Sendable {
  case unknown, resetting, unsupported, unauthorized, poweredOff, poweredOn
}

/// Whether the app may use Bluetooth.
public enum CBManagerAuthorization: Int, Sendable {
  case notDetermined, restricted, denied, allowedAlways
}

/// What managers have in common.
open class CBManager: NSObject {
  /// `unknown` at first; the delegate hears of each change.
  @_Guarded public internal(set) var state = CBManagerState.unknown

  open class var authorization: CBManagerAuthorization {
    BlemuPhone.bluetooth == .unauthorized ? .denied : .allowedAlways
  }

  open var authorization: CBManagerAuthorization { Self.authorization }
}

/// The other side of a link.
open class CBPeer: NSObject {
  /// The same each time for the same device.
  public let identifier: UUID

  init(identifier: UUID) { self.identifier = identifier }
}

/// A property that any thread may read while the queue of the manager changes it. It is no part of Apple's API.
@propertyWrapper
public final class _Guarded<Value> {
  private let lock = NSLock()
  private var value: Value

  public init(wrappedValue: Value) { value = wrappedValue }

  public var wrappedValue: Value {
    get { lock.withLock { value } }
    set { lock.withLock { value = newValue } }
  }

  func change(_ body: (inout Value) -> Void) { lock.withLock { body(&value) } }
}

extension DispatchQueue {
  /// Returns a function for other threads, which lets `body` run on this queue.
  func bring<Value: Sendable>(_ body: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
    // Only this queue calls it and only this queue owns what it captures.
    nonisolated(unsafe) let body = body
    return { value in self.async(execute: DispatchWorkItem { body(value) }) }
  }
}
