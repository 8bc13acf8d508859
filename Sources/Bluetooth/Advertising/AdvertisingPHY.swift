/// The PHY of extended advertising (Core Specification, Vol 6 Part B 4.4.2).
///
/// On LE Coded, all packets are coded. Otherwise the primary channels have LE 1M, and this is the PHY of the others.
package enum AdvertisingPHY: String, CaseIterable, Sendable {
  case le1M = "1M"
  case le2M = "2M"
  case coded
}
