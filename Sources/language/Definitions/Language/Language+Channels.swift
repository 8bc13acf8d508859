import Bluetooth
import DeviceModel

extension Language {
  struct Channel: LanguageObject {
    static let outline = Outline("a channel", Self()) {
      [$0.psm, $0.mtu, $0.mps, $0.credits, $0.security, $0.keySize]
    }

    let psm = Key.required(
      "psm", .integer(1...0xFF),
      "by which centrals open it: 0x80 to 0xFF are the device's own, 0x01 to 0x7F those of the Bluetooth SIG")
    let mtu = Key.optional(
      "mtu", .integer(Int(ChannelTerms.mtuLimits.lowerBound)...Int(ChannelTerms.mtuLimits.upperBound)),
      "the longest SDU that the device takes, in bytes; \(ChannelDefinition.standardTerms.mtu) by default")
    let mps = Key.optional(
      "mps", .integer(Int(ChannelTerms.mpsLimits.lowerBound)...Int(ChannelTerms.mpsLimits.upperBound)),
      "the most bytes of a K-frame that the device takes, with the two of the SDU's length; by default what an SDU needs, at most \(ChannelDefinition.standardTerms.mps)"
    )
    let credits = Key.optional(
      "credits", .integer(1...0xFFFF),
      "how many K-frames a central may send before the device has taken one; \(ChannelDefinition.standardTerms.credits) by default"
    )
    let security = Key.optional(
      "security", .choice(ChannelDefinition.securityLevels.map(\.name)),
      "how well the link has to be protected; none by default")
    let keySize = Key.optional(
      "key-size", .integer(7...16), "the shortest encryption key that it accepts, in bytes; 7 by default",
      needs: "security")
  }
}
