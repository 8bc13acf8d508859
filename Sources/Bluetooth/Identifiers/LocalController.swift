/// A Bluetooth controller of this machine, with the kernel's number.
package struct LocalController: Hashable, Sendable {
  package var index: UInt16
  package var address: LinkAddress

  package init(index: UInt16, address: LinkAddress) {
    self.index = index
    self.address = address
  }

  /// For example `hci0`.
  package var name: String { "hci\(index)" }
}
