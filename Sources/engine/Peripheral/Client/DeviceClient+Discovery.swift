import Behavior
import Bluetooth
import DeviceModel
import EventLoop

// The search for what the device seeks (Core Specification, Vol 3 Part G 4.4.2, 4.6.1, 4.7.1). Whatever has no meaning is left out.
extension DeviceClient {
  /// Looks for each service by its UUID, and there for its characteristics.
  func discover() {
    found = [:]
    var services: [BluetoothUUID] = []
    for service in sought.map(\.service) where !services.contains(service) { services.append(service) }
    discover(services[...])
  }

  private func discover(_ services: ArraySlice<BluetoothUUID>) {
    guard let uuid = services.first else { return finish(.discovered(central, found: Set(found.keys))) }
    let request = AttributePDU.findByTypeValueRequest(.all, type: 0x2800, value: uuid.attributeTypeBytes)
    ask(request) { [weak self] answer in
      let rest = services.dropFirst()
      guard let handles = (try? answer.get())?.attributes(foundBy: request).first?.handles else {
        self?.discover(rest)
        return
      }
      self?.discover(DiscoveredService(uuid: uuid, handles: handles)) { [weak self] in self?.discover(rest) }
    }
  }

  private func discover(_ service: DiscoveredService, then proceed: @escaping @EventLoop () -> Void) {
    let handles = service.handles
    // The last attribute of a service declares nothing.
    find(in: handles, until: { $0.handle &+ 1 >= handles.last }, { .readByTypeRequest($0, type: 0x2803) }) {
      [weak self] in
      guard let self else { return }
      var service = service
      service.add(declarations: $0)
      findConfigurations(of: choose(in: service), then: proceed)
    }
  }

  /// Notes those that the device seeks: the first with each UUID.
  ///
  /// - Returns: where the Client Characteristic Configuration may be of those that have one.
  private func choose(in service: DiscoveredService) -> ArraySlice<(index: Int, handles: HandleRange)> {
    var places: [(index: Int, handles: HandleRange)] = []
    for index in sought.indices where sought[index].service == service.uuid {
      guard let number = service.characteristics.firstIndex(where: { $0.uuid == sought[index].uuid }) else {
        continue
      }
      let (characteristic, last) = (service.characteristics[number], service.lastHandle(of: number))
      found[index] = characteristic
      guard characteristic.properties.delivery != nil, characteristic.handle < last else { continue }
      places.append((index, HandleRange(characteristic.handle + 1, last)))
    }
    return places[...]
  }

  private func findConfigurations(
    of places: ArraySlice<(index: Int, handles: HandleRange)>, then proceed: @escaping @EventLoop () -> Void
  ) {
    guard let (index, handles) = places.first else { return proceed() }
    find(in: handles, until: { $0.type == 0x2902 }, { .findInformationRequest($0) }) { [weak self] in
      self?.found[index]?.descriptors = $0.map { AttributeInformation($0.handle, $0.type) }
      self?.findConfigurations(of: places.dropFirst(), then: proceed)
    }
  }

  private func find(
    in handles: HandleRange, until isLast: @escaping (DiscoveredAttribute) -> Bool,
    _ question: @escaping (HandleRange) -> AttributePDU,
    then proceed: @escaping @EventLoop ([DiscoveredAttribute]) -> Void
  ) {
    perform(.find(in: handles, until: isLast, question)) { proceed((try? $0.get()) ?? []) }
  }
}
