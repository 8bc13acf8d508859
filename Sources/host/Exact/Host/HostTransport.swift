import AttributeServer
import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import HCIPackets
import Host
import Kernel
import Peripheral
import SecurityManager

/// Puts a device on the air with blemu's own host on a controller, without the kernel's Bluetooth.
@EventLoop
package final class HostTransport: RadioTransport, RecordableTransport {
  package var host: (any TransportHost)? {
    get { server.host }
    set { server.host = newValue }
  }
  package let limits: any TransportLimits = ExactLimits()
  package var recorder: (any AirRecorder)? {
    get { server.recorder }
    set { server.recorder = newValue }
  }
  let source: ControllerSource
  /// Whether the device needs its controller.
  var isOpen = false
  let server = GATTServer()
  /// At the host of the controller; nil: it has none.
  var seat: HostSeat?
  /// Waits for the advertising to begin; nil, or why it does not.
  var goingOnAir: Promise<AdapterFinding?>?
  var leaving: Promise<Void>?
  /// Connects again after the controller has gone.
  var returning: Task<Void, Never>?
  /// The links to centrals.
  var links: [LinkHandle: Served] = [:]
  /// Those that have begun before the device started; nil: it has.
  var early: [LinkHandle]? = []
  /// What the device advertises; nil: nothing.
  package internal(set) var advertised: Advertisement?
  /// The addresses with which its sets advertise, or advertised last, by their handles; nil: the controller's.
  var setAddresses: [SetAddress?] = []
  /// Ends the advertisement.
  var timeout: EventLoop.Timer?
  /// How often centrals have failed to authenticate themselves.
  var failedPeers = FailedPeers()

  /// A link, as the device serves it.
  struct Served {
    let link: HostLink
    /// Its identity, if it is bonded.
    let peer: LinkAddress
    let channel: HostChannel
    var timers: [EventLoop.Timer] = []
    /// The numbers of the channels that it has opened.
    var channels: [ChannelIdentifier: Int] = [:]

    var central: Central { peer.address }
  }

  package convenience init(_ place: ControllerPlace) { self.init(.place(place)) }

  /// Takes an adapter from the kernel while the device is on the air.
  ///
  /// - Parameter endsOtherUse: whether it takes the adapter although other programs have connections or advertisements on it.
  package convenience init(_ choice: AdapterChoice, endsOtherUse: Bool = false) {
    self.init(.adapter(.shared(choice, endsOtherUse: endsOtherUse)))
  }

  package convenience init(_ controller: ImitatedController) { self.init(.imitation(controller)) }

  init(_ source: ControllerSource) {
    self.source = source
    server.disconnect = { [weak self] in self?.disconnect($0.central, .remoteUserTerminated) }
  }

  /// The attributes of the definition that are served; nil: none.
  package var table: AttributeTable? { server.device?.table }

  package func serve(_ table: AttributeTable) { server.serve(table) }

  package var hasFlowControl: Bool { true }

  package func holdResponses(_ isHolding: Bool) { server.isHoldingResponses = isHolding }

  package func mtu(of central: Central) -> Int? { server[central]?.mtu }

  package func isEncrypted(_ central: Central) -> Bool? { server[central]?.security.isEncrypted }

  package var handles: HandleLayout? { { AttributeDatabase.handles(of: $0, $1) } }

  package func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    server.maximumValue(of: characteristic, to: recipients)
  }

  package func send(
    _ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients
  ) -> SendOutcome {
    server.send(value, from: characteristic, to: recipients)
  }

  package func transmit(_ bytes: [UInt8], in channel: Int, to central: Central?) -> SendOutcome {
    server.channels.transmit(bytes, in: channel, to: central)
  }

  package func close(channel: Int, of central: Central?) { server.channels.close(channel, of: central) }

  package func sendAsClient(_ packet: [UInt8], to central: Central) -> Bool {
    server.sendAsClient(packet, to: central)
  }

  package func sendJoinedValues() { server.sendJoinedValues() }
}
