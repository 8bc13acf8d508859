import Testing

@testable import ControllerModel

/// A command, and what the controller says about it after some others.
struct ErrorCase: Sendable, CustomTestStringConvertible {
  var name: String
  var before: [String]
  var command: String
  var status: UInt8

  init(_ name: String, after before: [String] = [], _ command: String, _ status: UInt8) {
    (self.name, self.before, self.command, self.status) = (name, before, command, status)
  }

  var testDescription: String { name }
}

@Suite struct ErrorTests {
  private static func parameters(_ text: String) -> String { "01 36 20 19 \(text)" }

  /// Set 1 with properties; the rest is as it may be.
  private static func set(
    _ properties: String, handle: String = "01", own: String = "00", phys: String = "01 00 01"
  )
    -> String
  {
    parameters("\(handle) \(properties) A0 00 00 A0 00 00 07 \(own) 00 00 00 00 00 00 00 00 7F \(phys) 00 00")
  }

  private static let legacy = set("13 00")
  private static let enable = "01 39 20 06  01 01 01 00 00 00"

  static let advertising: [ErrorCase] = [
    ErrorCase("legacy parameters with a length too many", "01 06 20 10" + " 00" + " 00".repeated(15), 0x12),
    ErrorCase("an interval below 20 ms", "01 06 20 0F 1F 00 A0 00 00 00 00 00 00 00 00 00 00 07 00", 0x12),
    ErrorCase("no channel", "01 06 20 0F A0 00 A0 00 00 00 00 00 00 00 00 00 00 00 00", 0x12),
    ErrorCase(
      "legacy parameters while enabled", after: ["01 0A 20 01 01"],
      "01 06 20 0F A0 00 A0 00 00 00 00 00 00 00 00 00 00 07 00", 0x0C),
    ErrorCase("more data than 31 bytes", "01 08 20 20 20" + " 00".repeated(31), 0x12),
    ErrorCase("data without padding", "01 08 20 04 03 02 01 06", 0x12),
    ErrorCase(
      "a random address that is not there",
      after: ["01 06 20 0F A0 00 A0 00 00 01 00 00 00 00 00 00 00 07 00"],
      "01 0A 20 01 01", 0x12),
    ErrorCase(
      "a random address while it is in use", after: ["01 0A 20 01 01"], "01 05 20 06 01 02 03 04 05 C6", 0x0C),
    ErrorCase("extended after legacy", after: ["01 0A 20 01 01"], legacy, 0x0C),
    ErrorCase("legacy after extended", after: [legacy], "01 0A 20 01 01", 0x0C),
    ErrorCase("a handle above EF", set("13 00", handle: "F0"), 0x12),
    ErrorCase("legacy properties that no packet has", set("11 00"), 0x12),
    ErrorCase("connectable and scannable without legacy", set("03 00"), 0x12),
    ErrorCase("anonymous and connectable", set("21 00"), 0x12),
    ErrorCase("LE 2M as the primary PHY", set("00 00", phys: "02 00 01"), 0x12),
    ErrorCase("legacy on LE Coded", set("13 00", phys: "03 00 03"), 0x12),
    ErrorCase(
      "one set too many", after: (1...4).map { set("13 00", handle: "0\($0)") }, set("13 00", handle: "05"),
      0x07),
    ErrorCase("parameters while enabled", after: [legacy, enable], legacy, 0x0C),
    ErrorCase("data of an unknown set", "01 37 20 05 01 03 01 01 00", 0x42),
    ErrorCase("an address for an unknown set", "01 35 20 07 01 01 02 03 04 05 C6", 0x42),
    ErrorCase(
      "an address while it is in use", after: [legacy, enable], "01 35 20 07 01 01 02 03 04 05 C6", 0x0C),
    ErrorCase("legacy data in fragments", after: [legacy], "01 37 20 05 01 01 01 01 00", 0x12),
    ErrorCase(
      "32 bytes of legacy data", after: [legacy], "01 37 20 24 01 03 01 20" + " 00".repeated(32), 0x12),
    ErrorCase("data shorter than it says", after: [legacy], "01 37 20 05 01 03 01 02 00", 0x12),
    ErrorCase("a last fragment without a first", after: [set("00 00")], "01 37 20 05 01 02 01 01 00", 0x12),
    ErrorCase(
      "fragments while enabled", after: [set("00 00"), enable], "01 37 20 05 01 01 01 01 00", 0x0C),
    ErrorCase(
      "enabled before the last fragment", after: [set("00 00"), "01 37 20 05 01 01 01 01 00"], enable, 0x0C),
    ErrorCase(
      "more data than there is room for",
      after: [set("00 00")]
        + (0..<6).map {
          "01 37 20 FF 01 0\($0 == 0 ? 1 : 0) 01 FB" + " 00".repeated(251)
        }, "01 37 20 FF 01 02 01 FB" + " 00".repeated(251), 0x07),
    ErrorCase(
      "connectable data of two packets",
      after: [set("01 00"), "01 37 20 FF 01 03 01 FB" + " 00".repeated(251)], enable, 0x45),
    ErrorCase("enabling an unknown set", enable, 0x42),
    ErrorCase("enabling no set", "01 39 20 02 01 00", 0x12),
    ErrorCase("enabling a set twice", after: [legacy], "01 39 20 0A 01 02 01 00 00 00 01 00 00 00", 0x12),
    ErrorCase("a random address that the set does not have", after: [set("13 00", own: "01")], enable, 0x12),
    ErrorCase("scannable without a scan response", after: [set("02 00")], enable, 0x0C),
    ErrorCase("high duty cycle without a duration", after: [set("1D 00")], enable, 0x12),
    ErrorCase("removing an unknown set", "01 3C 20 01 01", 0x42),
    ErrorCase("removing an enabled set", after: [legacy, enable], "01 3C 20 01 01", 0x0C),
    ErrorCase("clearing enabled sets", after: [legacy, enable], "01 3D 20 00", 0x0C),
  ]

  private static let initiate =
    "01 0D 20 19 10 00 10 00 00 00 0B 00 00 00 00 00 00 08 00 08 00 00 00 0A 00 00 00 00 00"

  static let others: [ErrorCase] = [
    ErrorCase("an unknown command", "01 02 FC 00", 0x01),
    ErrorCase("parameters that Reset does not have", "01 03 0C 01 00", 0x12),
    ErrorCase("a window longer than its interval", "01 0B 20 07 00 10 00 11 00 00 00", 0x12),
    ErrorCase(
      "scan parameters while scanning", after: ["01 0C 20 02 01 00"], "01 0B 20 07 00 10 00 10 00 00 00", 0x0C
    ),
    ErrorCase("no PHY to scan on", "01 41 20 03 00 00 00", 0x12),
    ErrorCase("LE 2M to scan on", "01 41 20 08 00 00 02 00 10 00 10 00", 0x12),
    ErrorCase(
      "an interval of 6.25 ms",
      "01 0D 20 19 10 00 10 00 00 00 0B 00 00 00 00 00 00 05 00 08 00 00 00 0A 00 00 00 00 00",
      0x12),
    ErrorCase(
      "a timeout shorter than its latency allows",
      "01 0D 20 19 10 00 10 00 00 00 0B 00 00 00 00 00 00 08 00 08 00 04 00 0A 00 00 00 00 00", 0x12),
    ErrorCase("a second initiation", after: [initiate], initiate, 0x0C),
    ErrorCase("no initiation to cancel", "01 0E 20 00", 0x0C),
    ErrorCase(
      "a full accept list", after: (0..<8).map { "01 11 20 07 00 0\($0) 00 00 00 00 00" },
      "01 11 20 07 00 08 00 00 00 00 00", 0x07),
    ErrorCase("a device that is not in the accept list", "01 12 20 07 00 01 00 00 00 00 00", 0x12),
    ErrorCase("a device that is not in the resolving list", "01 28 20 07 00 01 00 00 00 00 00", 0x02),
    ErrorCase("too short a length", "01 24 20 04 1A 00 48 01", 0x12),
    ErrorCase("a PHY that does not exist", "01 31 20 03 00 08 01", 0x11),
    ErrorCase("no PHY", "01 31 20 03 00 00 01", 0x12),
  ]

  @Test(arguments: advertising + others)
  func `a mistake has the error code of the specification`(_ error: ErrorCase) {
    #expect(Self.status(error) { _ in } == error.status)
  }

  /// All on a link whose handle is 0x0040, of a as the central.
  static let links: [ErrorCase] = [
    ErrorCase("disconnecting an unknown link", "01 06 04 03 41 00 13", 0x02),
    ErrorCase("a handle above EFF", "01 06 04 03 40 0F 13", 0x12),
    ErrorCase("a reason that a host may not give", "01 06 04 03 40 00 16", 0x12),
    ErrorCase("a second disconnection", after: ["01 06 04 03 40 00 13"], "01 06 04 03 40 00 13", 0x0C),
    ErrorCase("connecting again", initiate, 0x0B),
    ErrorCase("the signal of an unknown link", "01 05 14 02 41 00", 0x02),
    ErrorCase("a key that nobody asked for", "01 1A 20 12 40 00" + " 00".repeated(16), 0x0C),
    ErrorCase("no key that nobody asked for", "01 1B 20 02 40 00", 0x0C),
    ErrorCase(
      "encryption twice", after: ["01 19 20 1C 40 00" + " 00".repeated(26)],
      "01 19 20 1C 40 00" + " 00".repeated(26),
      0x0C),
    ErrorCase(
      "an update with a wrong timeout", "01 13 20 0E 40 00 08 00 08 00 00 00 01 00 00 00 00 00", 0x12),
    ErrorCase("an answer to no request", "01 20 20 0E 40 00 08 00 08 00 00 00 0A 00 00 00 00 00", 0x0C),
    ErrorCase("a length of an unknown link", "01 22 20 06 41 00 FB 00 48 08", 0x02),
    ErrorCase("the PHY of an unknown link", "01 30 20 02 41 00", 0x02),
    ErrorCase("a PHY of an unknown link", "01 32 20 07 41 00 00 02 02 00 00", 0x02),
  ]

  @Test(arguments: links)
  func `a mistake on a link has the error code of the specification`(_ error: ErrorCase) {
    #expect(Self.status(error) { $0.connect() } == error.status)
  }

  /// The status of the answer to a command.
  private static func status(_ error: ErrorCase, _ start: (inout AirConversation) -> Void) -> UInt8? {
    var conversation = AirConversation()
    start(&conversation)
    for command in error.before { conversation.prepare("a> " + command) }
    let answer = conversation.play("a> " + error.command).split(separator: "\n").dropFirst().first
    let bytes = answer?.split(separator: " ").dropFirst().compactMap { UInt8($0, radix: 16) } ?? []
    return bytes.count < 7 ? nil : bytes[1] == 0x0F ? bytes[3] : bytes[6]
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
