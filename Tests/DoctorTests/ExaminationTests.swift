import BlueZLimits
import Bluetooth
import Definitions
import DeviceModel
import Peripheral
import TestSupport
import Testing

@testable import Doctor

/// What is found in the facts of made machines.
@Suite struct ExaminationTests {
  @Test(arguments: Complaint.all)
  func `what is wrong is found, with its level`(complaint: Complaint) {
    #expect(complaint.finding?.level == complaint.level)
  }

  @Test func `a machine with nothing wrong has only limits of BlueZ`() {
    let findings = Examination(of: MadeMachine.facts, for: Purpose()).findings
    #expect(findings.filter { $0.level != .ok }.map(\.code) == ["answers-late", "forgets-subscriptions"])
  }

  @Test func `a file that bluetoothd drops has no settings to edit`() {
    let facts = MadeMachine.facts.with {
      $0.configuration.content = .text(MainConfiguration("[GATT]\nCache\n"))
    }
    let findings = Examination(of: facts, for: Purpose()).findings.filter { $0.place == "configuration" }
    #expect(findings.map(\.code) == ["configuration-is-broken"])
    #expect(
      findings.first?.sentences(on: facts.tools).message
        == "/etc/bluetooth/main.conf:2: bluetoothd ignores the whole file, because 'Cache' is neither 'key = value' nor a [section] nor a comment"
    )
  }

  @Test func `a machine without Bluetooth hears last what works there`() {
    let facts = MadeMachine.facts.with { $0.adapters = [] }
    #expect(Examination(of: facts, for: Purpose()).findings.last == .needsNothing)
  }

  @Test func `an obstacle on one of two adapters is a note`() {
    let facts = MadeMachine.facts.with {
      $0.adapters.append(MadeMachine.adapter("hci1"))
      $0.adapters[0].radioSwitch?.isSoftBlocked = true
    }
    func level(_ choice: AdapterChoice) -> MachineFinding.Level? {
      var purpose = Purpose()
      purpose.choice = choice
      return Examination(of: facts, for: purpose).findings.first { $0.code == "blocked-by-rfkill" }?.level
    }
    #expect(level(.first) == .note)
    #expect(level(.named("hci0")) == .problem)
    #expect(level(.named("hci1")) == nil)
  }

  @Test func `exact needs no bluetoothd and does not care for what only bluetoothd does`() {
    var purpose = Purpose()
    purpose.stack = .exact
    let facts = MadeMachine.facts.with {
      ($0.bus, $0.bluetoothd) = (.absent(reason: ""), nil)
      $0.kernel.version = KernelVersion("6.12.93")
    }
    #expect(Examination(of: facts, for: purpose).findings.allSatisfy { $0.level == .ok })
  }

  @Test func `exact's capabilities are a note unless exact is chosen`() {
    let facts = MadeMachine.facts.with { $0.user.hasCapabilities = false }
    var purpose = Purpose()
    let level = {
      Examination(of: facts, for: purpose).findings.first { $0.code == "no-capabilities" }?.level
    }
    #expect(level() == .note)
    purpose.isChosen = true
    #expect(level() == nil)
  }
}

/// What concerns one device only.
@Suite struct DefinitionExaminationTests {
  private static let old = MadeMachine.facts.with {
    $0.bluetoothd?.version = BlueZVersion(5, 66)
    $0.configuration.content = .text(MainConfiguration("[General]\n"))
  }

  private func codes(_ text: String, on stack: AdapterFinding.Stack = .bluez) throws -> Set<String> {
    let source = SourceText(name: "device.yaml", text: "blemu: 1\nname: Device\n" + text)
    var purpose = Purpose()
    let loaded = DefinitionLoader.load(source, folder: MemoryFolder(files: [:]))
    let definition: PeripheralDefinition = try #require(loaded.definition, "\(loaded.report)")
    purpose.definition = definition
    purpose.stack = stack
    return Set(Examination(of: Self.old, for: purpose).findings.filter { $0.level != .ok }.map(\.code))
  }

  @Test func `a plain device meets little`() throws {
    #expect(try codes("services: [{ uuid: FFE0, characteristics: [] }]\n") == ["central-is-searched"])
  }

  @Test func `a Device Information of its own meets that of bluetoothd`() throws {
    let text = "services: [{ uuid: 180A, characteristics: [] }]\n"
    #expect(try codes(text) == ["central-is-searched", "own-device-information"])
    #expect(try codes(text, on: .exact).isEmpty)
  }

  @Test func `a device that pairs meets the policy of repairing`() throws {
    let text = "security: { pairing: true }\nservices: [{ uuid: FFE0, characteristics: [] }]\n"
    #expect(try codes(text).contains("no-repairing"))
    #expect(try codes(text, on: .exact).contains("no-repairing"))
  }

  @Test func `intervals, several subscribers and long writes meet the limits of the release`() throws {
    let text = """
      advertisement: { interval: { min: 100ms, max: 100ms } }
      link: { mtu: 517 }
      services:
        - uuid: FFE0
          characteristics: [{ uuid: FFE1, properties: [write, notify], value: "00" }]

      """
    #expect(
      try codes(text)
        == ["central-is-searched", "ignores-intervals", "notifies-everybody", "refuses-long-writes"])
  }
}
