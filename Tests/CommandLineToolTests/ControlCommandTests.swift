import BlemuControl
import Testing

@testable import CommandLineTool

/// Compares the commands that control a running device with the methods of the control protocol.
@Suite struct ControlCommandTests {
  /// Methods without a command of their own: for the page, for programs, and between the program and the device.
  private static let withoutCommand: Set<ControlMethod> = [
    .central, .describe, .share, .expectations, .unwatch, .intercept, .unintercept, .cancel,
  ]

  /// The commands whose name is not that of their method.
  private static let otherNames: [ControlMethod: String] = [.status: "ps", .faults: "fault", .watch: "logs"]

  /// How a command takes a parameter that is not an option of the same name.
  private static let arguments: [ControlMethod: [String: String]] = [
    .get: ["names": "EXPRESSION"], .set: ["values": "SETTING=VALUE"],
    .press: ["control": "CONTROL", "value": "VALUE"],
    .send: [
      "from": "PLACE", "value": "VALUE", "message": "VALUE", "fields": "VALUE", "bytes": "VALUE",
    ],
    .wire: ["value": "VALUE", "message": "VALUE", "fields": "VALUE", "bytes": "VALUE"],
    .act: ["line": "LINE"], .advertise: ["on": "on|off"], .disconnect: ["central": "CENTRAL"],
    .forget: ["central": "CENTRAL"],
    .faults: ["add": "FAULT"], .advance: ["by": "TIME"],
    .journal: ["format": "--transcript"], .watch: ["format": "--json"],
    .expect: [
      "lines": "LINE", "within": "within TIME", "at-least": "at least N", "at-most": "at most N",
      "after": "after N",
    ],
  ]

  /// Parameters for programs only.
  private static let notOffered: [ControlMethod: Set<String>] = [
    .get: ["partial"], .journal: ["most", "wait"],
  ]

  @Test(arguments: ControlMethod.allCases)
  func `a command gives every parameter of its method`(method: ControlMethod) throws {
    let command = Command.named(Self.otherNames[method] ?? method.rawValue)
    guard !Self.withoutCommand.contains(method) else { return #expect(command == nil) }
    let help = try Help().text(for: #require(command)).split(separator: "\n").joined(separator: " ")
    for parameter in method.parameters where Self.notOffered[method]?.contains(parameter.name) != true {
      #expect(help.contains(Self.arguments[method]?[parameter.name] ?? "--\(parameter.name)"))
    }
  }

  @Test func `every command that controls a device has a method`() {
    let names = ControlMethod.allCases.map { Self.otherNames[$0] ?? $0.rawValue } + ["web"]
    #expect(Command.all.filter(\.isForRunning).map(\.name).filter { !names.contains($0) } == [])
  }
}
