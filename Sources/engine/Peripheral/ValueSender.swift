import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// Fits a device's values to the links to centrals.
@EventLoop
struct ValueSender {
  let names: TrafficNames
  let values: any TransportValues
  /// The bytes of a value that every link carries: its ATT_MTU is at least 23 (Vol 3 Part G 5.2.1). Only longer values are
  /// measured.
  private static let certain = AttributePDU.defaultMTU - 3

  /// The outcome for a part of a value.
  enum Fate: Hashable {
    case sent(SendOutcome)
    /// Not sent: the links carry at most this many bytes of a value.
    case tooLong(limit: Int)
  }

  /// Sends a value so that it fits the links to all recipients, the device's own MTU and an attribute. A characteristic determines
  /// whether longer values leave in pieces, cut or not at all.
  ///
  /// - Parameter report: called with each part of the value and its fate.
  func send(
    _ value: [UInt8], from characteristic: Int, to recipients: Recipients,
    report: (_ part: ArraySlice<UInt8>, Fate) -> Void
  ) {
    let limit = value.count <= Self.certain ? Self.certain : limit(of: characteristic, to: recipients)
    var value = value
    var tooLong: ArraySlice<UInt8> = []
    if value.count > limit {
      switch names.definition.characteristics[characteristic].longValues ?? .split {
      case .split: break
      case .cut: (value, tooLong) = (Array(value.prefix(limit)), value.dropFirst(limit))
      case .refuse: return report(value[...], .tooLong(limit: limit))
      }
    }
    func send(_ piece: ArraySlice<UInt8>) {
      report(piece, .sent(values.send(piece, from: characteristic, to: recipients)))
    }
    if value.count > limit {
      for piece in Chunker(value, size: max(1, limit)) { send(piece) }
    } else if !value.isEmpty {
      send(value[...])
    }
    if !tooLong.isEmpty { report(tooLong, .tooLong(limit: limit)) }
  }

  private func limit(of characteristic: Int, to recipients: Recipients) -> Int {
    let longest = CharacteristicDefinition.maximumValueSize
    return min(
      values.maximumValue(of: characteristic, to: recipients) ?? longest,
      names.definition.link.maximumValue ?? longest, longest)
  }
}
