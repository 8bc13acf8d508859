import BlueZ
import BlueZLimits
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Exact
import Loopback
import Peripheral
import TestSupport
import Testing

@testable import CommandLineTool
@testable import Devices

/// The values of `--on`.
@Suite struct TransportSpecificationTests {
  @Test func `an adapter belongs to BlueZ, which is the default`() throws {
    #expect(try TransportSpecification(nil) == .bluez(.first))
    #expect(try TransportSpecification("bluez") == .bluez(.first))
    #expect(try TransportSpecification("bluez:hci3") == .bluez(.named("hci3")))
    #expect(try TransportSpecification("loopback") == .loopback)
    #expect(try TransportSpecification(nil, default: .loopback) == .loopback)
  }

  @EventLoop @Test func `each value makes its transport`() throws {
    let (loopback, bluez) = (try TransportSpecification("loopback"), try TransportSpecification("bluez"))
    let (inMemory, onTheAir) = (loopback.make(), bluez.make())
    #expect(inMemory.transport is LoopbackTransport)
    #expect(inMemory.memory === inMemory.transport)
    #expect(onTheAir.transport is BlueZTransport)
    #expect(onTheAir.memory == nil)
    // Only the clock of a device in memory can be advanced.
    #expect(inMemory.scheduler is AdvancingScheduler)
    #expect(onTheAir.scheduler is EventLoopScheduler)
  }

  private let folder = TemporaryFolder([
    "beacon.yaml": """
    blemu: 1
    name: Beacon
    advertisement:
      manufacturer-data: { 004C: "\(String(repeating: "00 ", count: 40))" }
      raw: { "01": "06" }
    services:
      - { uuid: 1800, characteristics: [{ uuid: 2A00, properties: [read] }] }

    """
  ])

  private func status(_ words: String...) throws -> CommandLineTool.ExitStatus {
    try CheckCommand(Arguments([folder.path + "beacon.yaml"] + words, for: .check)).run()
  }

  @Test func `in memory, no fault is said to be beyond BlueZ`() throws {
    let device = try define(
      """
      blemu: 1
      name: Lamp
      faults: [refuse unlikely-error on switch]
      services:
        - uuid: FFE0
          characteristics:
            - { id: switch, uuid: FFE1, properties: [write, write-without-response] }
      """)
    let fault = try #require(device.faults.first)
    #expect(BlueZLimits().remarks(on: fault, of: device).count == 1)
    let limits = TransportSpecification.limitsInMemory(of: device)
    #expect(limits.remarks(on: fault, of: device) == [])
    #expect(limits.remark(onWritesTo: device.characteristics[0]) == nil)
    #expect(limits.packets(of: Advertisement()) == BlueZLimits().packets(of: Advertisement()))
  }

  @Test func `a device in memory has all its services if BlueZ would serve none`() throws {
    let generic = try device(
      "services: [{ uuid: 1801, characteristics: [{ uuid: 2A05, properties: [indicate] }] }]")
    let table = try generic.attributes(in: generic.initialContext)
    #expect(BlueZLimits().problem(with: table, of: generic) != nil)
    #expect(TransportSpecification.limitsInMemory(of: generic).problem(with: table, of: generic) == nil)
  }

  @Test func `a definition that only BlueZ cannot serve is valid on the loopback`() throws {
    #expect(try status("--on", "loopback") == .success)
    #expect(try status("--on", "bluez") == .badDefinition)
    #expect(try status() == .badDefinition)
  }

  /// A characteristic whose properties are wrong has all of them, and so more descriptors.
  @Test(arguments: [
    ("[]", []), ("[raed]", ["unknown word 'raed'"]),
    ("[notify]", ["0x0005 is not free: the attributes before it go up to 0x0004"]),
  ])
  func `a handle is not free only where attributes are certain`(properties: String, errors: [String]) {
    let text = """
      blemu: 1
      name: Device
      services:
        - uuid: 1800
          characteristics:
            - { uuid: 2A00, properties: \(properties) }
            - { uuid: 2A01, handle: 5, properties: [read] }
      """
    let file = DefinitionFile(name: "device.yaml", text: text, folder: DiskFolder(of: folder.path))
    let loaded = DefinitionLoader.load(file, bundled: NoBundledDefinitions(), for: [ExactLimits()])
    #expect(loaded.diagnostics.filter { $0.severity == .error }.map(\.message) == errors)
  }

  @Test func `a device that only BlueZ cannot serve loads for the loopback`() throws {
    let path = folder.path + "beacon.yaml"
    #expect(try DefinitionChoice(path, assignments: [], on: .loopback).definition.name == "Beacon")
    #expect(throws: CommandError.badDefinition) {
      try DefinitionChoice(path, assignments: [], on: .bluez(.first))
    }
  }
}
