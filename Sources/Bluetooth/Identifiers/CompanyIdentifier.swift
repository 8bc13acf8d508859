/// The first two bytes of manufacturer data ("Assigned Numbers", section 7), least significant
/// byte first on the air.
package typealias CompanyIdentifier = UInt16
