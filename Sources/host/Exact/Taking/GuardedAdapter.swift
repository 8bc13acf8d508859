import Bluetooth
import Peripheral
import System

/// What a guard knows of its adapter.
package struct GuardedAdapter: Hashable, Sendable {
  /// When the run took it.
  var controller: LocalController
  /// Before any run took it.
  var wasPowered: Bool

  /// The first word of a guard's command line.
  static let command = "adapter-guard"

  /// The guard's command line, without the name of the program, for example `adapter-guard hci0 00:1A:7D:DA:71:13 on`.
  var words: [String] {
    [Self.command, controller.name, controller.address.address.description, wasPowered ? "on" : "off"]
  }
}

extension GuardedAdapter {
  /// Reads ``words``; nil: the words are others.
  init?(words: [String]) {
    guard words.count == 4, words[0] == Self.command, words[1].hasPrefix("hci"),
      let index = UInt16(words[1].dropFirst(3)), let address = DeviceAddress(words[2])
    else { return nil }
    self.init(
      controller: LocalController(index: index, address: LinkAddress(address)), wasPowered: words[3] == "on")
  }
}

extension GuardedAdapter {
  /// Gives the adapter of these words back; nil: they are those of another guard, or of none.
  package static func duty(of words: [String]) -> Guard.Duty? {
    guard let adapter = GuardedAdapter(words: words) else { return nil }
    let hadRecord = AdapterRecord.exists(of: adapter.controller.address.address)
    return { _ in await KernelAdapter.giveBack(adapter, hadRecord: hadRecord) }
  }
}
