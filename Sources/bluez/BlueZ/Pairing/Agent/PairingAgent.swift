import Bluetooth
import DBus
import EventLoop

/// Answers what bluetoothd asks while devices pair with one of its adapters (bluez: doc/agent-api.txt).
///
/// bluetoothd asks the default agent about all adapters, and the agent of a program that pairs about that pairing. This one
/// refuses for other adapters, unless another agent of this process answers for them (``AgentCircle``).
@EventLoop
package final class PairingAgent {
  package static let service = "org.bluez"
  private static let path: ObjectPath = "/blemu/agent"
  private static let managerInterface = "org.bluez.AgentManager1"
  private static let agentInterface = "org.bluez.Agent1"
  private static let rejected = "org.bluez.Error.Rejected"

  /// The adapter whose devices it answers for.
  package var adapter: ObjectPath
  /// Answers for a device of the adapter, at once or later.
  package var onQuestion: (@EventLoop (ObjectPath, PairingQuestion, @escaping Answering) -> Void)?
  package typealias Answering = @EventLoop (PairingAnswer) -> Void
  /// Called once, when it has refused a device of another adapter.
  package var onStranger: (@EventLoop (ObjectPath) -> Void)?
  /// Called when bluetoothd needs no answer any more: pairing has ended.
  package var onCancel: (@EventLoop () -> Void)?
  /// Called when another agent of this process becomes the default one, with its capability, or ceases to be.
  package var onOther: (@EventLoop (IOCapability?) -> Void)?

  private let connection: DBusConnection
  private var export: Registration?

  package init(on connection: DBusConnection, for adapter: ObjectPath) {
    self.connection = connection
    self.adapter = adapter
  }

  private func object() -> ExportedObject {
    ExportedObject(
      path: Self.path, interfaces: [DBusInterface(Self.agentInterface, methods: methods)])
  }
}

// MARK: Registering

extension PairingAgent {
  /// Becomes an agent of bluetoothd.
  ///
  /// - Parameters:
  ///   - asDefault: whether it becomes the default one; bluetoothd then sets the capability on all of its adapters.
  ///   - bluetoothd: a bus name; a unique one means this bluetoothd and no later one.
  package func register(
    _ capability: IOCapability, asDefault: Bool = true, with bluetoothd: String
  ) async throws(DBusError) {
    if export == nil { export = connection.export(object()) }
    try await manage("RegisterAgent", [.objectPath(Self.path), .string(capability.agentName)], bluetoothd)
    guard asDefault else { return }
    try await manage("RequestDefaultAgent", [.objectPath(Self.path)], bluetoothd)
    AgentCircle.ofProcess.add(self, capability)
  }

  /// bluetoothd goes back to the default agent from before.
  package func unregister(from bluetoothd: String) async {
    _ = try? await manage("UnregisterAgent", [.objectPath(Self.path)], bluetoothd)
    export = nil
    AgentCircle.ofProcess.leave(self)
  }

  private func manage(
    _ member: String, _ arguments: [DBusValue], _ bluetoothd: String
  ) async throws(DBusError) {
    _ = try await connection.call(
      destination: bluetoothd, path: .bluetoothd, interface: Self.managerInterface, member: member,
      arguments, timeout: .seconds(5))
  }
}

// MARK: Answering

extension PairingAgent {
  private var methods: [DBusMethod] {
    [
      DBusMethod("Release") { $0.reply() },
      DBusMethod("Cancel") { [weak self] call in
        call.reply()
        guard let self else { return }
        onCancel?()
        AgentCircle.ofProcess.cancel(from: self)
      },
      // For old devices of BR/EDR.
      DBusMethod("RequestPinCode", "o", returns: "s") { Self.refuse($0) },
      DBusMethod("DisplayPinCode", "os") { Self.refuse($0) },
      method("RequestPasskey", "o", returns: "u") { _ throws(DBusError) in .passkey },
      method("DisplayPasskey", "ouq") { reader throws(DBusError) in
        .show(try reader.uint32(), entered: try reader.uint16())
      },
      method("RequestConfirmation", "ou") { reader throws(DBusError) in .compare(try reader.uint32()) },
      method("RequestAuthorization", "o") { _ throws(DBusError) in .pair },
      method("AuthorizeService", "os") { _ throws(DBusError) in .use },
    ]
  }

  /// A method whose first argument is the device; the question reads the others.
  private func method(
    _ name: String, _ arguments: DBusSignature, returns reply: DBusSignature = "",
    _ question: @escaping @EventLoop @Sendable (inout MessageReader) throws(DBusError) -> PairingQuestion
  ) -> DBusMethod {
    DBusMethod(name, arguments, returns: reply) { [weak self] call in
      do throws(DBusError) {
        var reader = call.reader()
        let device = try reader.objectPath()
        let asked = try question(&reader)
        guard let self else { return Self.refuse(call) }
        answer(call, to: asked, about: device)
      } catch {
        call.fail(error)
      }
    }
  }

  private func answer(
    _ call: consuming MethodCall, to question: PairingQuestion, about device: ObjectPath
  ) {
    guard let agent = device.isBelow(adapter) ? self : AgentCircle.ofProcess.agent(for: device) else {
      onStranger.take()?(device)
      return Self.refuse(call)
    }
    guard let onQuestion = agent.onQuestion else { return Self.refuse(call) }
    let deferred = DeferredCall(call)
    onQuestion(device, question) { answer in
      if let call = deferred.take() { Self.answer(call, answer) }
    }
  }

  private static func answer(_ call: consuming MethodCall, _ answer: PairingAnswer) {
    switch answer {
    case .yes: call.reply()
    case .enter(let passkey): call.reply([.uint32(passkey)])
    case .no: refuse(call)
    }
  }

  private static func refuse(_ call: consuming MethodCall) {
    call.fail(name: rejected, message: "this device does not pair in this way")
  }
}

extension IOCapability {
  /// The name for `RegisterAgent`.
  fileprivate var agentName: String {
    switch self {
    case .displayOnly: "DisplayOnly"
    case .displayYesNo: "DisplayYesNo"
    case .keyboardOnly: "KeyboardOnly"
    case .noInputNoOutput: "NoInputNoOutput"
    case .keyboardDisplay: "KeyboardDisplay"
    }
  }
}
