import Bluetooth
import EventLoop
import Management
import Peripheral

extension AdapterChoice {
  typealias OpenController = (ManagementSocket, LocalController, ControllerSettings)

  /// Opens the kernel's management interface, and finds the chosen controller.
  ///
  /// - Throws: also if this program may not change a controller: reading is open to everybody.
  @EventLoop
  func openController() async throws(AdapterFinding) -> OpenController {
    let management: ManagementSocket
    var found: [(LocalController, ControllerInformation)] = []
    do throws(ManagementError) {
      management = try ManagementSocket.open()
      for index in try await management.controllers().sorted() {
        let information = try await management.information(of: index)
        found.append((LocalController(index: index, address: LinkAddress(information.address)), information))
      }
    } catch {
      throw AdapterFinding.opening(error)
    }
    let (controller, information) = try choose(from: found)
    do throws(ManagementError) {
      _ = try await management.advertisingFeatures(of: controller.index)
    } catch {
      throw AdapterFinding.advertisingOn(controller, error)
    }
    return (management, controller, information.current)
  }

  private func choose(
    from found: [(LocalController, ControllerInformation)]
  ) throws(AdapterFinding) -> (LocalController, ControllerInformation) {
    guard !found.isEmpty else { throw .noAdapter }
    let asked = found.filter { matches($0.0) }
    guard !asked.isEmpty else { throw .noSuchAdapter(self, there: found.map(\.0)) }
    guard let able = asked.first(where: { $0.1.supported.contains(.lowEnergy) }) else {
      throw .noLowEnergy(asked.map(\.0.name))
    }
    return able
  }

  private func matches(_ controller: LocalController) -> Bool {
    switch self {
    case .first: true
    case .named(let name): controller.name == name
    case .address(let address): controller.address.address == address
    }
  }
}

extension ExactTransport {
  /// The controller that the user has chosen.
  ///
  /// - Throws: ``TransportError``.
  package static func controller(of choice: AdapterChoice) async throws -> LocalController {
    do throws(AdapterFinding) {
      let (management, controller, _) = try await choice.openController()
      management.close()
      return controller
    } catch {
      throw TransportError(error)
    }
  }
}
