import DeviceModel
import TestSupport
import Testing

@testable import Definitions

/// Compares the faults that the web page suggests with the kinds that there are.
@Suite struct FaultPageTests {
  /// The texts of `SUGGESTIONS` in `faults.js`.
  private static let suggestions: [String] = {
    let path = Repository.path + "Sources/control/PageFiles/files/faults.js"
    let lines = String(decoding: Repository.bytes(ofFile: path) ?? [], as: UTF8.self).split(separator: "\n")
    return lines.drop { $0 != "const SUGGESTIONS = [" }.dropFirst().prefix { $0 != "];" }
      .map { String($0.trimmingPrefix("  \"").dropLast(2)) }
  }()

  @Test(arguments: suggestions)
  func `a suggestion of the page is a fault`(text: String) throws {
    let text = text.replacing("{out}", with: "down").replacing("{in}", with: "up")
    let words = try reader.read(text).description.split(separator: " ")
    #expect(Set(words) == Set(text.split(separator: " ")))
  }

  @Test(arguments: FaultReader.examples.map(\.1))
  func `the page suggests every kind that needs no number or name of the device`(text: String) throws {
    let word = text.split(separator: " ")[0]
    let isThere = Self.suggestions.contains { $0.split(separator: " ")[0] == word }
    #expect(try reader.read(text).kind.isSuggested == isThere)
  }
}

extension Fault.Kind {
  /// Whether the page suggests this kind: those that remain need a device of a certain sort.
  fileprivate var isSuggested: Bool {
    switch self {
    case .drop, .duplicate, .delay, .corrupt, .truncate, .stall, .throttle, .refuse, .answer, .disconnect,
      .reboot, .refuseConnections, .stopAdvertising, .garbleAdvertisement, .vanish, .refuseParameters,
      .ignoreParameters, .refuseEncryption, .failPairing, .loseLink, .fade, .losePackets, .leaveRange:
      true
    case .reorder, .split, .merge, .spoilChecksum, .spoilConfirm, .person, .confirm, .advertise: false
    }
  }
}
