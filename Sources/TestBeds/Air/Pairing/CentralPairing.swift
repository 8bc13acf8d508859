import Bluetooth
import EventLoop
import PairingAgent
import Transcripts

/// The central's side of pairing, by the program that pairs on this machine: bluetoothd, or the kernel if it does not run.
@EventLoop
protocol CentralPairing: AnyObject {
  /// Answers the questions to the central's user.
  typealias Answering = @EventLoop (PairingQuestion) async -> PairingAnswer

  /// Prepares to answer for the central's user, who can show and enter as much as this. It comes before ``setBondable(_:)``.
  ///
  /// - Returns: whether the central's adapter wanted to keep keys before.
  func prepare(as capability: IOCapability) async throws(TestBedError) -> Bool
  /// Pairs with a device to which the central's adapter is connected.
  ///
  /// - Returns: whether both have paired. bluetoothd may tell so long after it, or not at all.
  func pair(
    _ peer: LinkAddress, as capability: IOCapability, answer: @escaping Answering
  ) async throws(TestBedError) -> Bool
  /// Sets whether the central's adapter wants to keep keys.
  func setBondable(_ isBondable: Bool) async throws(TestBedError)
  /// Forgets the keys that an adapter has with a peer.
  func forget(_ peer: DeviceAddress, of controller: LocalController) async
  func end()
}
