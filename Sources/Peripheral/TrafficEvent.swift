import Behavior
import Bluetooth
import EventLoop
import Framing

/// Something that passed through a device, for whoever watches.
package struct TrafficEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    indirect case onAir(OnAir)
    /// For a reason when it was not asked for.
    indirect case offAir(reason: String?, Totals)
    case connected(Central)
    case disconnected(Central)
    case subscribed(Central?, String)
    case unsubscribed(Central?, String)
    /// A central read this value; or was refused.
    case read(Central?, String, [UInt8], refused: ATTError?)
    case write(Central?, String, [UInt8], WriteKind?, refused: ATTError?)
    case notify(String, [UInt8])
    case indicate(String, [UInt8])
    /// Bytes put in at the wire side.
    case wireIn([UInt8])
    /// Bytes that came out at the wire side.
    case wireOut([UInt8])
    /// Something happened to what stands at the wire side.
    case wire(WireEvent)
    /// What a rule says.
    case log(String)
    /// Nothing stopped, and a person should know; with the attribute and bytes that it is about.
    case warning(String, attribute: String?, [UInt8])
    case error(String)
  }

  /// What went on the air.
  package struct OnAir: Hashable, Sendable {
    /// The definition's name.
    package var definition: String
    /// The GAP device name.
    package var name: String
    package var adapter: LocalAdapter
    /// What is sent while it advertises; nil: the transport sends no packets.
    package var packets: AdvertisingPackets?
    package var services: [BluetoothUUID]
    package var wire: String?
  }

  /// Counted since the device went on the air.
  package struct Totals: Hashable, Sendable {
    package var duration: Duration = .zero
    package var centrals = 0
    package var valuesIn = 0
    package var valuesOut = 0
    /// Values that could not leave because nobody had subscribed.
    package var valuesLost = 0
  }

  package var time: Instant
  package var kind: Kind

  package init(time: Instant, kind: Kind) {
    self.time = time
    self.kind = kind
  }
}

/// Takes what passed through a device. It is called on the path of the bytes: whatever takes time comes later.
@EventLoop
package protocol TrafficSink: AnyObject {
  func take(_ event: TrafficEvent)
}
