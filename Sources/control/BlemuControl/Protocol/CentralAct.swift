/// What a central does that a program plays: the parameter `do` of ``ControlMethod/central``.
package enum CentralAct: String, CaseIterable, Sendable {
  case scan, connect, discover, read, write, pair, unpair, disconnect
}
