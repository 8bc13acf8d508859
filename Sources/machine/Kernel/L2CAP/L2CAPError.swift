import Bluetooth
import Glibc
import System

/// Why a connection to a peripheral failed.
package enum L2CAPError: Error, Hashable, Sendable {
  /// The kernel has no Bluetooth sockets.
  case noBluetooth
  case notPermitted
  /// No controller with this address is switched on.
  case noController(LinkAddress)
  /// The controller does not support LE, or LE is switched off.
  case noLowEnergy(LinkAddress)
  case noAnswer(LinkAddress, within: Duration)
  /// Another program has the ATT channel of an existing connection, or a connection is being established.
  case busy(LinkAddress)
  case cancelled
  /// Any other error; the number is the kernel's `errno`.
  case failed(LinkAddress, Int32)

  /// The error of socket(2), bind(2) or connect(2).
  init(beforehand code: Int32, own: LinkAddress, peer: LinkAddress) {
    self =
      switch code {
      case EAFNOSUPPORT, EPROTONOSUPPORT: .noBluetooth
      case EPERM, EACCES: .notPermitted
      case EHOSTUNREACH, EADDRNOTAVAIL, ENODEV, ENETDOWN: .noController(own)
      case EOPNOTSUPP: .noLowEnergy(own)
      case EBUSY, EALREADY: .busy(peer)
      default: .failed(peer, code)
      }
  }

  /// The outcome of connecting. Here the number stands for a controller's error code, so the same numbers have other
  /// meanings (`bt_to_errno` of the kernel's `net/bluetooth/lib.c`).
  init(outcome code: Int32, peer: LinkAddress, timeLimit: Duration) {
    self =
      switch code {
      case ETIMEDOUT, EHOSTDOWN: .noAnswer(peer, within: timeLimit)
      case EBUSY, EALREADY: .busy(peer)
      case ECANCELED: .cancelled
      default: .failed(peer, code)
      }
  }

  /// Whether a new attempt may succeed: another connection is being established or is about to end, or the first
  /// packets were lost (Connection Failed to be Established, for which the kernel has only ENOSYS; Unsupported
  /// Remote Feature, EPROTONOSUPPORT, if the peripheral has not reported its features yet).
  var isTransient: Bool {
    switch self {
    case .busy: true
    case .failed(_, let code):
      [ENOSYS, EPROTONOSUPPORT, ECONNRESET, ECONNABORTED, ENOTCONN, EAGAIN, EINTR].contains(code)
    default: false
    }
  }
}

extension L2CAPError {
  /// What has happened, as a clause.
  package var message: String {
    switch self {
    case .noBluetooth: "this kernel has no Bluetooth sockets"
    case .notPermitted: "the kernel does not allow this program to use Bluetooth sockets"
    case .noController(let own): "no adapter with the address \(own) is switched on"
    case .noLowEnergy(let own): "the adapter \(own) does not support Bluetooth LE"
    case .noAnswer(let peer, let limit): "\(peer) did not answer within \(limit)"
    case .busy(let peer): "the link to \(peer) is in use by another program"
    case .cancelled: "connecting was cancelled"
    case .failed(let peer, let code): "cannot connect to \(peer): \(String(cString: strerror(code)))"
    }
  }

  /// What to do next.
  package var hint: String {
    switch self {
    case .noBluetooth: MachineTools.ofThisMachine.loadingBluetooth
    case .notPermitted:
      "\(MachineTools.ofThisMachine.runAsRoot), or outside the container or sandbox that forbids it"
    case .noController: "switch it on: bluetoothctl power on (bluetoothctl list shows the adapters)"
    case .noLowEnergy: "choose another adapter, or see ControllerMode in /etc/bluetooth/main.conf"
    case .noAnswer: "check that it is advertising, in range, and not connected to another device"
    case .busy(let peer): "disconnect it (bluetoothctl disconnect \(peer.address)), then try again"
    case .cancelled: "try again"
    case .failed: "try again; see the kernel's log (\(MachineTools.ofThisMachine.asRoot("dmesg")))"
    }
  }
}

extension L2CAPError: CustomStringConvertible {
  package var description: String { message }
}
