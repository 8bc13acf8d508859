import Behavior
import Bluetooth

/// What bluetoothd has reported about the pairing with each connected central.
struct CentralPairings: Hashable {
  private struct Progress: Hashable {
    /// The passkey that is shown.
    var shown: UInt32?
    var hasPaired = false
    var hasBonded = false
  }

  private var progress: [Central: Progress] = [:]

  /// The centrals to which the device shows a passkey, and which have not paired yet.
  var awaited: [Central] {
    Set(progress.filter { $0.value.shown != nil && !$0.value.hasPaired }.keys).inAddressOrder
  }
}

extension CentralPairings {
  /// bluetoothd reports a passkey again for each digit that is entered. Returns whether it is new.
  mutating func shows(_ passkey: UInt32, _ central: Central) -> Bool {
    guard progress[central]?.shown != passkey else { return false }
    progress[central] = Progress(shown: passkey)
    return true
  }

  /// bluetoothd has the keys of an earlier pairing: it will not report the outcome of this one.
  mutating func isPairedAlready(_ central: Central) { progress[central]?.hasPaired = true }

  /// Returns the events. bluetoothd may report the bond first.
  mutating func paired(_ central: Central) -> [Event] {
    guard progress[central]?.hasPaired != true else { return [] }
    progress[central, default: Progress()].hasPaired = true
    return [.paired(central)] + (progress[central]?.hasBonded == true ? [.bonded(central)] : [])
  }

  mutating func bonded(_ central: Central) -> [Event] {
    guard progress[central]?.hasBonded != true else { return [] }
    progress[central, default: Progress()].hasBonded = true
    return progress[central]?.hasPaired == true ? [.bonded(central)] : []
  }

  /// Pairing has ended without keys. Returns the events.
  mutating func failed(_ central: Central) -> [Event] {
    guard awaited.contains(central) else { return [] }
    progress[central] = nil
    return [.pairingFailed(central, .unknown)]
  }

  /// bluetoothd has dropped the keys of a central, or it has left.
  mutating func forget(_ central: Central) { progress[central] = nil }
}
