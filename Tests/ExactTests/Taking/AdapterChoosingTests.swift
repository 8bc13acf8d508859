import Bluetooth
import Peripheral
import Testing

@testable import Exact

@Suite struct AdapterChoosingTests {
  private let old = OfferedAdapter(controller: controller(0), hasLowEnergy: false)
  private let new = OfferedAdapter(controller: controller(1))

  private static func controller(_ index: UInt16) -> LocalController {
    LocalController(index: index, address: LinkAddress(DeviceAddress("00:1A:7D:DA:71:1\(index)")!))
  }

  private func finding(_ choice: AdapterChoice, of offered: [OfferedAdapter]) -> AdapterFinding? {
    do throws(AdapterFinding) {
      _ = try choice.choose(from: offered, all: [old, new].map(\.controller))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    AdapterChoice.first, .named("hci1"), .address(DeviceAddress("00:1A:7D:DA:71:11")!),
  ])
  func `the first adapter with Bluetooth LE is the default`(choice: AdapterChoice) throws {
    #expect(try choice.choose(from: [old, new], all: []) == new)
  }

  @Test func `an adapter that is missing, old or taken has a sentence of its own`() {
    #expect(finding(.named("hci0"), of: [old, new]) == .noLowEnergy(["hci0"]))
    #expect(finding(.named("hci1"), of: [old]) == .isTaken("hci1", .exact))
    #expect(
      finding(.named("hci9"), of: [old, new]).map { TransportError($0).hint }
        == "available: hci0 (00:1A:7D:DA:71:10), hci1 (00:1A:7D:DA:71:11)")
  }
}
