/// The way of an HCI packet.
package enum HCIDirection: Hashable, Sendable {
  case toController, toHost
}
