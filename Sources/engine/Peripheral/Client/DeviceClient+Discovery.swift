import Behavior
import Bluetooth
import DeviceModel
import EventLoop

// The search for what the device seeks (Core Specification, Vol 3 Part G 4.4.2, 4.6.1, 4.7.1).
extension DeviceClient {
  private typealias Declared = (declaration: AttributeHandle, characteristic: CharacteristicDeclaration)

  /// Looks for each service by its UUID, and there for its characteristics.
  func discover() {
    found = [:]
    var services: [BluetoothUUID] = []
    for service in sought.map(\.service) where !services.contains(service) { services.append(service) }
    discover(services[...])
  }

  private func discover(_ services: ArraySlice<BluetoothUUID>) {
    guard let service = services.first else {
      return finish(.discovered(central, found: Set(found.keys)))
    }
    let request = AttributePDU.findByTypeValueRequest(
      .all, type: 0x2800, value: service.attributeTypeBytes)
    ask(request) { [weak self] answer in
      let rest = services.dropFirst()
      guard case .success(.findByTypeValueResponse(let handles)) = answer, let handles = handles.first else {
        self?.discover(rest)
        return
      }
      self?.readDeclarations(of: service, in: handles, from: handles.first, []) { [weak self] in
        self?.discover(rest)
      }
    }
  }

  private func readDeclarations(
    of service: BluetoothUUID, in handles: HandleRange, from start: AttributeHandle, _ earlier: [Declared],
    then proceed: @escaping @EventLoop () -> Void
  ) {
    ask(.readByTypeRequest(HandleRange(start, handles.last), type: 0x2803)) { [weak self] answer in
      guard let self else { return }
      var (all, next) = (earlier, start)
      if case .success(.readByTypeResponse(let rows)) = answer {
        // Each has to come after the one before, so that no server keeps the device in a loop.
        for row in rows where row.handle >= next && row.handle < handles.last {
          next = row.handle + 1
          if let characteristic = CharacteristicDeclaration(row.value),
            characteristic.valueHandle > row.handle, characteristic.valueHandle <= handles.last
          {
            all.append((row.handle, characteristic))
          }
        }
      }
      guard next > start, next < handles.last else {
        return findConfigurations(of: choose(among: all, of: service, endingAt: handles.last), then: proceed)
      }
      readDeclarations(of: service, in: handles, from: next, all, then: proceed)
    }
  }

  /// Notes those that the device seeks: the first with each UUID.
  ///
  /// - Returns: where the Client Characteristic Configuration may be of those that have one.
  private func choose(
    among all: [Declared], of service: BluetoothUUID, endingAt end: AttributeHandle
  ) -> ArraySlice<(index: Int, handles: HandleRange)> {
    var places: [(index: Int, handles: HandleRange)] = []
    for index in sought.indices where sought[index].service == service {
      guard let number = all.firstIndex(where: { $0.characteristic.uuid == sought[index].uuid }) else {
        continue
      }
      let characteristic = all[number].characteristic
      found[index] = Found(handle: characteristic.valueHandle, properties: characteristic.properties)
      let last = number + 1 < all.count ? all[number + 1].declaration - 1 : end
      guard characteristic.properties.delivery != nil, characteristic.valueHandle < last else { continue }
      places.append((index, HandleRange(characteristic.valueHandle + 1, last)))
    }
    return places[...]
  }

  private func findConfigurations(
    of places: ArraySlice<(index: Int, handles: HandleRange)>, then proceed: @escaping @EventLoop () -> Void
  ) {
    guard let (index, handles) = places.first else { return proceed() }
    ask(.findInformationRequest(handles)) { [weak self] answer in
      guard let self else { return }
      guard case .success(.findInformationResponse(let rows)) = answer, let last = rows.last?.handle else {
        return findConfigurations(of: places.dropFirst(), then: proceed)
      }
      if let row = rows.first(where: { $0.type == 0x2902 && handles.first...handles.last ~= $0.handle }) {
        found[index]?.configuration = row.handle
      } else if last >= handles.first, last < handles.last {
        return findConfigurations(
          of: [(index, HandleRange(last + 1, handles.last))] + places.dropFirst(), then: proceed)
      }
      findConfigurations(of: places.dropFirst(), then: proceed)
    }
  }
}
