import Bluetooth
import Glibc

/// Why there is no connection to a peripheral.
package enum L2CAPError: Error, Hashable, Sendable {
  /// The kernel knows no Bluetooth sockets.
  case noBluetooth
  case notPermitted
  /// No controller with our own address is switched on.
  case noController(LinkAddress)
  /// Our controller is not for LE, or LE is switched off there.
  case noLowEnergy(LinkAddress)
  case noAnswer(LinkAddress, within: Duration)
  /// There is a connection already whose ATT channel another program has, or one is being made.
  case busy(LinkAddress)
  case cancelled
  /// Anything else; the number is the kernel's `errno`.
  case failed(LinkAddress, Int32)

  /// What the kernel answers to socket(2), bind(2) and connect(2).
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

  /// What became of a connection that was being made: a number that stands for the controllers' error code, so the
  /// same numbers mean other things (`bt_to_errno` of the kernel's `net/bluetooth/lib.c`).
  init(outcome code: Int32, peer: LinkAddress, timeLimit: Duration) {
    self =
      switch code {
      case ETIMEDOUT, EHOSTDOWN: .noAnswer(peer, within: timeLimit)
      case EBUSY, EALREADY: .busy(peer)
      case ECANCELED: .cancelled
      default: .failed(peer, code)
      }
  }

  /// Whether it may work in a moment: another connection is being made or is not quite gone, or the first packets
  /// were lost (Connection Failed to be Established, for which the kernel has no number but ENOSYS; Unsupported Remote
  /// Feature, EPROTONOSUPPORT, when the peripheral has not said yet what it can).
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
    case .notPermitted: "the kernel does not let this program use Bluetooth sockets"
    case .noController(let own): "no adapter with the address \(own) is switched on"
    case .noLowEnergy(let own): "the adapter \(own) does not do Bluetooth LE"
    case .noAnswer(let peer, let limit): "\(peer) has not answered within \(limit)"
    case .busy(let peer): "the link to \(peer) is in use by another program"
    case .cancelled: "connecting was cancelled"
    case .failed(let peer, let code): "cannot connect to \(peer): \(String(cString: strerror(code)))"
    }
  }

  /// What to do next.
  package var hint: String {
    switch self {
    case .noBluetooth:
      "load it (sudo modprobe bluetooth); in a container, where it is not to be had, use tools/vm"
    case .notPermitted: "run blemu with sudo, or outside the container or sandbox that forbids it"
    case .noController: "switch it on: bluetoothctl power on (bluetoothctl list shows what there is)"
    case .noLowEnergy: "choose another adapter, or see ControllerMode in /etc/bluetooth/main.conf"
    case .noAnswer: "is it advertising, in reach, and not connected to something else?"
    case .busy(let peer): "disconnect it (bluetoothctl disconnect \(peer.address)), then try again"
    case .cancelled: "try again"
    case .failed: "try again; the kernel may say more: sudo dmesg"
    }
  }
}

extension L2CAPError: CustomStringConvertible {
  package var description: String { message }
}
