import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// The addresses of the device in the log.
extension Pipeline {
  func advertise(_ advertisement: Advertisement?) {
    transport.advertise(advertisement)
    for set in advertisement?.allSets ?? [] where set.address != toldAddresses[set.name] {
      report(addressOf: set)
    }
  }

  /// The log has them from the start.
  func noteAddresses() {
    for set in engine.currentAdvertisement?.allSets ?? [] { toldAddresses[set.name] = set.address }
  }

  /// Those that differ from the main one, with which the log begins.
  func reportAddressesOfFurtherSets() {
    guard let main = engine.currentAdvertisement else { return }
    for set in main.furtherSets where set.address != main.address { report(addressOf: set) }
  }

  private func report(addressOf set: Advertisement) {
    toldAddresses[set.name] = set.address
    if let address = set.address { report(.address(address, set: set.name.isEmpty ? nil : set.name)) }
  }
}
