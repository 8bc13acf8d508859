import Bluetooth
import EventLoop
import Glibc
import HCI
import TestSupport
import Testing

@testable import Exact

@Suite(.timeLimit(.minutes(10))) struct LinkWatchTests {
  /// A watch of a controller whose events a test writes.
  @EventLoop
  final class Scene {
    let watch: LinkWatch
    let kernel: FileDescriptor
    var notices: [LinkWatch.Notice] = []

    init() {
      let (ours, kernel) = pairOfSockets()
      self.kernel = kernel
      watch = LinkWatch { _ in HCISocket(adopting: ours) }
      watch.onNotice = { [weak self] in self?.notices.append($1) }
      watch.follow(0)
    }

    func tell(_ events: String..., type: String = "04 ") {
      for event in events {
        let packet = bytes(type + event)
        send(kernel.rawValue, packet, packet.count, 0)
      }
      watch.catchUp()
    }

    /// Handle 0x0040, 4C:32:75:0A:11:9E, 30 ms, latency 0, 420 ms
    static let connected = "3E 13 01  00 40 00 01  00 9E 11 0A 75 32 4C  18 00 00 00 2A 00  00"

    /// A link with a channel.
    func connect() throws -> WatchedLink {
      tell(Self.connected)
      let link = try #require(watch.link(0x0040))
      link.central = DeviceAddress("4C:32:75:0A:11:9E")
      return link
    }

    func commands() -> [String] {
      var buffer = [UInt8](repeating: 0, count: 300)
      var commands: [String] = []
      while case let count = recv(kernel.rawValue, &buffer, buffer.count, 0), count > 0 {
        commands.append(hexadecimal(buffer.prefix(count)))
      }
      return commands
    }
  }

  static let preferred = PreferredConnectionParameters(interval: 24...40, latency: 0, supervisionTimeout: 42)

  @EventLoop @Test func `a link has its parameters and its reason, also when its handle is given again`()
    throws
  {
    let scene = Scene()
    let first = try scene.connect()
    #expect(first.parameters == ConnectionParameters(interval: 24, latency: 0, supervisionTimeout: 42))
    scene.tell("05 04 00 40 00 08", Scene.connected)
    let second = try #require(scene.watch.link(0x0040))
    scene.tell("05 04 00 40 00 13")
    #expect((first.reason, second.reason) == (.supervisionTimeout, .remoteUserTerminated))
    #expect(scene.watch.link(0x0040) == nil)
  }

  @EventLoop @Test func `changes are told once the link has a channel`() throws {
    let scene = Scene()
    scene.tell(Scene.connected, "3E 0A 03 00 40 00 28 00 00 00 2A 00")
    let parameters = ConnectionParameters(interval: 40, latency: 0, supervisionTimeout: 42)
    #expect(scene.watch.link(0x0040)?.parameters == parameters)
    #expect(scene.notices == [])
    _ = try scene.connect()
    scene.tell(
      "3E 0A 03 00 40 00 28 00 00 00 2A 00", "3E 06 0C 00 40 00 02 02",
      "3E 0B 07 40 00 FB 00 48 08 FB 00 48 08",
      "3E 06 0C 00 41 00 02 02")
    #expect(
      scene.notices == [
        .changed(LinkChange(parameters: parameters)),
        .changed(LinkChange(phys: Directions(sent: .le2M, received: .le2M))),
        .changed(LinkChange(packetSizes: Directions(sent: 251, received: 251))),
      ])
  }

  @EventLoop @Test func `a central is asked only for other parameters than the link has`() throws {
    let scene = Scene()
    let link = try scene.connect()
    scene.watch.ask(link, for: Self.preferred)
    #expect(scene.commands() == [])
    scene.tell("3E 0A 03 00 40 00 50 00 00 00 2A 00")
    scene.watch.ask(link, for: Self.preferred)
    #expect(scene.commands() == ["01 13 20 0E 40 00 18 00 28 00 00 00 2A 00 00 00 00 00"])
    scene.tell("0F 04 00 01 13 20", "3E 0A 03 3B 40 00 00 00 00 00 00 00")
    #expect(scene.notices.last == .refusesParameters(.unacceptableConnectionParameters))
    #expect(link.parameters.interval == 0x50)
    scene.watch.ask(link, for: Self.preferred)
    scene.tell("0F 04 0C 01 13 20")  // Command Disallowed
    #expect(scene.notices.last == .cannotAsk(HCIError(rawValue: 0x0C)))
    scene.tell("05 04 00 40 00 13")
    _ = scene.commands()
    scene.watch.ask(link, for: Self.preferred)
    #expect(scene.commands() == [])
  }

  @EventLoop @Test func `the PHYs are those that the controller answers`() throws {
    let scene = Scene()
    let link = try scene.connect()
    scene.watch.askForPHYs(of: link)
    #expect(scene.commands() == ["01 30 20 02 40 00"])
    scene.tell("0E 08 01 30 20 00 40 00 01 02")
    #expect(link.phys == Directions(sent: .le1M, received: .le2M))
    #expect(scene.notices == [])
  }

  @EventLoop @Test func `a central that wants to pair is told of with its link`() throws {
    let scene = Scene()
    var requests: [(WatchedLink, Bool)] = []
    scene.watch.onPairingRequest = { requests.append(($0, $1)) }
    let link = try scene.connect()
    scene.tell("02 40 20 0B 00 07 00 06 00 01 04 00 2D 10 07 07", type: "")
    scene.tell("02 40 20 0B 00 07 00 06 00 01 04 00 05 10 07 07", type: "")
    scene.tell("02 41 20 0B 00 07 00 06 00 01 04 00 05 10 07 07", type: "")
    #expect(requests.map(\.1) == [true, false])
    #expect(requests.allSatisfy { $0.0 === link })
  }

  @EventLoop @Test func `encryption that fails is told, also of a link that has no channel yet`() throws {
    let scene = Scene()
    scene.tell(Scene.connected, "0E 06 01 1B 20 00 40 00")
    #expect(scene.watch.link(0x0040)?.lacksKey == true)
    #expect(scene.notices == [])
    let link = try scene.connect()
    #expect(!link.lacksKey)
    scene.tell("0E 06 01 1B 20 00 40 00", "08 04 3D 40 00 00")
    #expect(link.lacksKey)
    #expect(scene.notices == [.keyMissing, .encryptionFailed(.micFailure)])
  }
}
