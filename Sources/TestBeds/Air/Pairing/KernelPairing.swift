import Bluetooth
import EventLoop
import Management
import PairingAgent
import Transcripts

/// Pairs by the kernel's management interface, where no bluetoothd answers its questions first.
@EventLoop
final class KernelPairing: CentralPairing {
  private let management: ManagementSocket
  private let controller: LocalController
  private var answer: Answering?

  init(_ management: ManagementSocket, _ controller: LocalController) {
    (self.management, self.controller) = (management, controller)
    management.onEvent = { [weak self] in
      if $0.controller == controller.index { self?.take($0.kind) }
    }
  }

  func end() { management.close() }

  func prepare(as capability: IOCapability) async throws(TestBedError) -> Bool {
    do throws(ManagementError) { return try await isBondable() } catch { throw TestBedError(error.message) }
  }

  func pair(
    _ peer: LinkAddress, as capability: IOCapability, answer: @escaping Answering
  ) async throws(TestBedError) -> Bool {
    self.answer = answer
    do throws(ManagementError) {
      try await management.pair(peer, as: capability, on: controller.index)
      return true
    } catch {
      if error.isPermission { throw TestBedError(error.message) }
      return false
    }
  }

  func setBondable(_ isWanted: Bool) async throws(TestBedError) {
    do throws(ManagementError) {
      guard try await isBondable() != isWanted else { return }
      try await management.setBondable(isWanted, on: controller.index)
    } catch {
      throw TestBedError(error.message)
    }
  }

  private func isBondable() async throws(ManagementError) -> Bool {
    try await management.information(of: controller.index).current.contains(.bondable)
  }

  /// The kernel has them, and ``AirTestBed`` removes them there.
  func forget(_ peer: DeviceAddress, of controller: LocalController) async {}
}

// MARK: Questions

extension KernelPairing {
  private func take(_ event: ManagementEvent.Kind) {
    switch event {
    case .userConfirmationRequest(let peer, let isHint, let value):
      ask(isHint ? .pair : .compare(value)) { management, index, answer in
        try? await management.confirm(answer == .yes, for: peer, on: index)
      }
    case .userPasskeyRequest(let peer):
      ask(.passkey) { management, index, answer in
        let passkey: UInt32? = if case .enter(let passkey) = answer { passkey } else { nil }
        try? await management.enter(passkey: passkey, for: peer, on: index)
      }
    case .passkeyNotify(_, let passkey, let entered):
      ask(.show(passkey, entered: UInt16(entered))) { _, _, _ in }
    default: break
    }
  }

  private func ask(
    _ question: PairingQuestion,
    _ reply: @escaping @EventLoop @Sendable (ManagementSocket, UInt16, PairingAnswer) async -> Void
  ) {
    guard let answer else { return }
    let (management, index) = (management, controller.index)
    EventLoop.start { await reply(management, index, await answer(question)) }
  }
}
