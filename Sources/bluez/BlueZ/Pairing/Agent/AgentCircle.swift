import Bluetooth
import DBus
import EventLoop

/// The default agents of this process, one for each adapter with a device that pairs.
///
/// bluetoothd asks only the agent that became the default one last, about all adapters, and lets all of them pair as that one
/// can (bluez: src/agent.c). So the agents answer for one another.
@EventLoop
final class AgentCircle {
  static let ofProcess = AgentCircle()

  private struct Member {
    weak var agent: PairingAgent?
  }

  private var members: [Member] = []

  /// An agent is now the default one.
  func add(_ agent: PairingAgent, _ capability: IOCapability) {
    remove(agent)
    for other in agents { other.onOther?(capability) }
    members.append(Member(agent: agent))
  }

  /// An agent has been unregistered, and bluetoothd has gone back to the one before.
  func leave(_ agent: PairingAgent) {
    guard agents.contains(where: { $0 === agent }) else { return }
    remove(agent)
    for other in agents { other.onOther?(nil) }
  }

  /// The agent for a device of bluetoothd.
  func agent(for device: ObjectPath) -> PairingAgent? { agents.first { device.isBelow($0.adapter) } }

  /// Tells the others that pairing has ended.
  func cancel(from agent: PairingAgent) {
    for other in agents where other !== agent { other.onCancel?() }
  }

  private var agents: [PairingAgent] { members.compactMap(\.agent) }

  private func remove(_ agent: PairingAgent) {
    members.removeAll { $0.agent == nil || $0.agent === agent }
  }
}
