import Captures
import Testing

@testable import Learning

struct TableVersionsTests {
  /// FFE0 up to 0005, Battery up to FFFF.
  static let boot = """
    > 10 01 00 FF FF 00 28
    < 11 06 01 00 05 00 E0 FF 06 00 FF FF 0F 18

    """
  /// FFE0 up to 0005, Battery up to 0009, FFF0 up to FFFF.
  static let application = """
    > 10 01 00 FF FF 00 28
    < 11 06 01 00 05 00 E0 FF 06 00 09 00 0F 18
    > 10 0A 00 FF FF 00 28
    < 11 06 0A 00 FF FF F0 FF

    """
  /// FFE0 has FFE1 at 0003, or FFE2.
  static let first =
    "> 10 01 00 FF FF 00 28\n< 11 06 01 00 05 00 E0 FF\n> 08 01 00 05 00 03 28\n< 09 07 02 00 1A 03 00 E1 FF\n"
  static let second =
    "> 10 01 00 FF FF 00 28\n< 11 06 01 00 05 00 E0 FF\n> 08 01 00 05 00 03 28\n< 09 07 02 00 1A 03 00 E2 FF\n"
  static let write = "> 52 03 00 AA\n"
  static let far = "> 52 0C 00 AA\n"
  /// Generic Attribute with Service Changed at 0003, and FFE0 from 0010 on.
  static let changing = """
    > 10 01 00 FF FF 00 28
    < 11 06 01 00 04 00 01 18 10 00 FF FF E0 FF
    > 08 01 00 04 00 03 28
    < 09 07 02 00 20 03 00 05 2A

    """
  static let changed = "< 1D 03 00 10 00 FF FF\n> 1E\n"
  static let later = "> 10 01 00 FF FF 00 28\n< 11 06 01 00 04 00 01 18 10 00 FF FF F0 FF\n> 52 12 00 AA\n"

  @Test(
    arguments: [
      ("one table", [first, first + write, first], nil, [0, 1, 0]),
      (
        "another end, with nothing there", [boot, "> 10 06 00 FF FF 00 28\n< 11 06 06 00 09 00 0F 18\n"], nil,
        [0, 0]
      ),
      (
        "another end and a service there", [boot, application + far, boot],
        "connection 2, and leaves out connections 1 and 3.", [1]
      ),
      (
        "another UUID", [first + write + write, second + write], "connection 1, and leaves out connection 2.",
        [2]
      ),
      // A link without discovery belongs to the table whose handles it uses, else to that of the link before.
      (
        "no discovery", [boot + write, application + far, far, write],
        "connections 2, 3 and 4, and leaves out connection 1.", [1, 1, 1]
      ),
      (
        "Service Changed", [changing + "> 52 03 00 AA\n" + changed + later + "> 52 13 00 AA"],
        "connection 1 (part 2), and leaves out connection 1 (part 1).", [3]
      ),
      (
        "a new discovery", [first + write + second + write + write],
        "connection 1 (part 2), and leaves out connection 1 (part 1).", [2]
      ),
      // A device that says two things at once has said the latter.
      (
        "one discovery",
        [
          "> 08 01 00 05 00 03 28\n< 09 07 02 00 1A 03 00 E1 FF\n> 08 01 00 05 00 03 28\n< 09 07 02 00 1A 03 00 E2 FF\n"
            + write
        ], nil, [1]
      ),
    ] as [(String, [String], String?, [Int])])
  func `of several tables the one with most traffic is learnt`(
    name: String, links: [String], remark: String?, exchanges: [Int]
  ) throws {
    var device = CapturedDevice(address: nil)
    device.connections = links.map(connection)
    let learner = Learner(device)
    #expect(learner.conversations.map(\.exchanges.count) == exchanges)
    let lesson = learner.learn(.recording, name: "Two", origin: [], from: learner.conversations)
    let remarks = lesson.definition.origin.filter { $0.contains("tables") }
    #expect(
      remarks.map { $0.split(separator: "that of ").last.map(String.init) ?? "" }
        == [remark].compactMap(\.self))
    _ = try loaded(lesson.definition)
  }

  @Test func `the parts of a link have its MTU`() {
    var device = CapturedDevice(address: nil)
    device.connections = [
      connection("> 02 F7 00\n< 03 F7 00\n" + Self.first + Self.write + Self.second + Self.write + Self.write)
    ]
    #expect(Learner(device).conversations.map(\.mtuExchanges) == [[.init(central: 247, device: 247)]])
  }
}
