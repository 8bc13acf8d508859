import Behavior
import Bluetooth
import BusSupport
import Definitions
import DeviceModel
import EventLoop
import Glibc
import Peripheral
import System
import TestSupport
import Testing

@testable import BlueZ

/// A device on a transport of BlueZ's, on a bus with stand-ins for bluetoothd.
@EventLoop
final class Scene {
  let story = Story()
  let transport: BlueZTransport
  let scheduler: StoryScheduler
  /// Measures how long bluetoothd does not answer.
  let clock = StoryScheduler()
  let bus: PrivateBus
  let guards = GuardStarter()
  let host: StoryHost
  /// The adapters of the kernel.
  let kernel = MadeKernel()
  private let folder: String
  private var standIns: [StandIn] = []

  init() throws {
    bus = try PrivateBus()
    var template = Array("/tmp/blemu-scene-XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
    host = StoryHost(story)
    scheduler = StoryScheduler(story)
    transport = BlueZTransport(
      .first, bus: bus.address, scheduler: scheduler, clock: clock, records: folder, kernel: kernel.all,
      startGuard: guards.start)
    transport.host = host
  }

  /// Another bluetoothd takes the name on the bus.
  ///
  /// - Parameter held: the methods that it does not answer yet, from its first call on.
  func start(_ name: String, holding held: Set<String> = []) async throws -> StandIn {
    let standIn = try await StandIn.start(name, on: bus, story, holding: held)
    standIns.append(standIn)
    return standIn
  }

  /// Ends everything and removes the saved settings of adapters.
  func end() {
    for standIn in standIns { standIn.close() }
    unlink(folder + "/adapter-020000000001")
    rmdir(folder)
  }

  /// Another device on the same adapter.
  func anotherTransport() -> BlueZTransport {
    BlueZTransport(
      .named("hci0"), bus: bus.address, scheduler: scheduler, clock: clock, records: folder,
      kernel: kernel.all)
  }

  /// What is thrown; nil: the device is on the air.
  func goOnAir(_ device: DeviceOnAir = TestDevice.first) async -> TransportError? {
    do {
      _ = try await transport.open()
      try await transport.goOnAir(device)
      return nil
    } catch {
      return error as? TransportError
    }
  }

  /// A device that is on the air with a bluetoothd A, and its host has begun.
  static func onAir(hasExtendedAdvertising: Bool = false) async throws -> (Scene, StandIn) {
    let scene = try Scene()
    let bluetoothd = try await scene.start("A")
    bluetoothd.hasExtendedAdvertising = hasExtendedAdvertising
    let problem = await scene.goOnAir()
    #expect(problem == nil)
    await scene.transport.watchCentrals()
    await scene.story.expect("A Set First", "A RegisterApplication FFE1", "A RegisterAdvertisement First")
    return (scene, bluetoothd)
  }
}

/// The adapters that the kernel has, also while bluetoothd does not serve them.
@EventLoop
final class MadeKernel {
  var adapters: [LocalController] = []

  func all() -> [LocalController] { adapters }

  static let first = LocalController(
    index: 0, address: LinkAddress(DeviceAddress("02:00:00:00:00:01")!, .public))
}

/// Starts a program in the place of guards.
@EventLoop
final class GuardStarter {
  /// Its file, and its arguments before those of a guard; nil: none is started.
  var program: (path: String, words: [String])?

  func start(_ words: [String]) throws(Guard.Failure) -> Guard? {
    guard let program else { return nil }
    return try Guard(running: program.path, program.words + words)
  }
}

/// The host of a device, which records its events.
@EventLoop
final class StoryHost: BaseHost {
  private let story: Story
  /// Whether somebody at the device takes time to answer, by ``answer``.
  var takesTime = false
  private(set) var answer: (@EventLoop (PersonAnswer) -> Void)?

  init(_ story: Story) { self.story = story }

  func receive(_ event: Event, respond: Responder?) {
    switch event {
    case .connected(let central, _): story.add("connected \(central)")
    case .disconnected(let central, _): story.add("disconnected \(central)")
    case .passkeyShown(let central, let passkey): story.add("\(passkey) for \(central)")
    case .paired(let central): story.add("paired \(central)")
    case .pairingFailed(_, let failure): story.add("not paired: \(failure)")
    default: respond?(.accepted)
    }
  }

  func ask(
    _ question: LinkRequest, about central: Central, answer: @escaping @EventLoop (PersonAnswer) -> Void
  ) -> AnyObject? {
    if takesTime { self.answer = answer } else { answer(.asUsual) }
    return nil
  }

  func congestionChanged(_ isCongested: Bool, of characteristic: Int) {}
  func fellOffAir(_ reason: String) { story.add("off: \(reason)") }
  func cameBackOnAir() { story.add("on") }
  func warn(_ message: String) { story.add("warning: \(message)") }
}

/// A device that can have another name and a second characteristic.
enum TestDevice {
  static let first = device()
  static let second = device(["local-name": .text("Second")])
  static let withSecondCharacteristic = device(["has-second": .boolean(true)])

  private static let definition = try! define(
    """
    blemu: 1
    name: Device
    settings:
      local-name: { type: text, max: 20, default: First }
      has-second: { type: boolean, default: false }
    advertisement: { local-name: "{local-name}" }
    services:
      - uuid: FFE0
        characteristics:
          - { uuid: FFE1, properties: [read] }
          - { uuid: FFE2, if: has-second, properties: [read] }
    """)

  private static func device(_ settings: [String: Value] = [:]) -> DeviceOnAir {
    var context = definition.initialContext
    for (name, value) in settings {
      context.settings[definition.settings.firstIndex { $0.name == name }!] = value
    }
    let advertisement = try! definition.advertised(in: context)
    return DeviceOnAir(
      definition: definition, table: try! definition.attributes(in: context), advertisement: advertisement,
      deviceName: advertisement.localName!)
  }
}
