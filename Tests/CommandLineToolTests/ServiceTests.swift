import EventLoop
import Glibc
import TestSupport
import Testing

/// The program as a service, with this test in the place of systemd.
@Suite(.timeLimit(.minutes(5))) struct ServiceTests {
  private let manager = DatagramListener()

  private static func lamp(_ name: String) -> String {
    """
    blemu: 1
    name: Lamp
    advertisement: { local-name: \(name) }
    services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]

    """
  }

  private func start(_ arguments: String, in folder: TemporaryFolder) -> pid_t {
    BlemuProcess.start(arguments, in: folder, environment: ["NOTIFY_SOCKET=\(manager.path)"])
  }

  /// What the manager is told until the device is ready.
  @EventLoop private func messages() async throws -> [String] {
    var messages: [String] = []
    while messages.last != "READY=1" { messages.append(try await manager.text()) }
    return messages
  }

  private func end(_ process: pid_t) -> Int32 {
    kill(process, SIGTERM)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status
  }

  @EventLoop @Test func `a device is ready on the air, reloads at SIGHUP, and stops`() async throws {
    let folder = TemporaryFolder(["lamp.yaml": Self.lamp("Desk")])
    let process = start("run lamp --on loopback --no-control", in: folder)
    #expect(try await messages() == ["STATUS=starting", "STATUS=on the air as Desk on loopback", "READY=1"])
    folder.write(Self.lamp("Floor"), to: "lamp.yaml")
    kill(process, SIGHUP)
    let reload = try await messages()
    #expect(reload.first?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
    #expect(reload.dropFirst() == ["STATUS=starting", "STATUS=on the air as Floor on loopback", "READY=1"])
    #expect(end(process) == 0)
    #expect(manager.texts() == ["STOPPING=1"])
  }

  @EventLoop @Test func `a definition with a mistake leaves the device as it is`() async throws {
    let folder = TemporaryFolder(["lamp.yaml": Self.lamp("Desk")])
    let process = start("run lamp --on loopback --no-control", in: folder)
    _ = try await messages()
    folder.write("blemu: 1\nnmae: Lamp\n", to: "lamp.yaml")
    kill(process, SIGHUP)
    #expect(try await messages().count == 2)
    #expect(folder.read("errors")?.contains("lamp.yaml:2:1") == true)
    #expect(folder.read("output")?.contains("off the air") == false)
    #expect(end(process) == 0)
    #expect(folder.read("output")?.split(separator: "\n").last?.hasPrefix("off the air") == true)
  }

  @EventLoop @Test func `a program on the wire side does not speak for the service`() async throws {
    let folder = TemporaryFolder()
    let program = "sh -c 'env >environment.new; mv environment.new environment; exec cat'"
    let process = start("run hm-10 --on loopback --no-control --exec \(program)", in: folder)
    _ = try await messages()
    while folder.read("environment") == nil { await EventLoop.pause(.milliseconds(10)) }
    #expect(folder.read("environment")?.contains("NOTIFY_SOCKET") == false)
    #expect(end(process) == 0)
  }
}
