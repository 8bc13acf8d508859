import Bluetooth
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct RadioWalkTests {
  @Test(arguments: [ControllerAbilities.legacy, .extended])
  func `a host breaks no rule, and ends with what it wants`(abilities: ControllerAbilities) {
    for seed in 0..<UInt64(100) {
      var walk = RadioWalk(abilities, seed: seed)
      for _ in 0..<400 { walk.step() }
      walk.calmDown()
      #expect(walk.controller.violations == [], "seed \(seed)")
      #expect(walk.commandCount <= 100, "seed \(seed)")
      #expect(walk.difference == nil, "seed \(seed)")
    }
  }
}

extension RadioWalk {
  /// All links end and nothing is refused any more; then everything is wanted anew.
  fileprivate mutating func calmDown() {
    refusesAtRandom = false
    reportEnds()
    while !controller.links.isEmpty { disconnect() }
    (radio.advertising.wanted, radio.scanning.wanted) = ([], nil)
    (radio.initiating.wanted, radio.acceptList.wanted, radio.resolvingList.wanted) = (nil, [], [])
    drain()
    (radio.advertising.wanted, radio.scanning.wanted) = (sets(), scan())
    (radio.initiating.wanted, radio.acceptList.wanted) = (request(), [device()])
    radio.resolvingList.wanted = peers()
    commandCount = 0
    drain()
  }

  private mutating func drain() {
    var count = 0
    while converse(), count < 1000 { count += 1 }
  }

  /// What the controller has otherwise than wanted.
  fileprivate var difference: String? {
    let sets = radio.advertising.possible(radio.abilities)
    let isExtended = controller.isExtended
    for (slot, present) in controller.sets where present.isEnabled {
      if !isExtended && sets.isEmpty { return "advertising" }
      if isExtended && !sets.contains(where: { $0.handle == slot }) { return "set \(slot)" }
    }
    for set in sets where controller.sets[isExtended ? set.handle : 0]?.isEnabled != true {
      return "no set \(set.handle)"
    }
    for set in sets { if let difference = difference(of: set) { return difference } }
    let isFree = isExtended || sets.first?.address == nil
    if controller.acceptList != radio.acceptList.wanted.map({ HCICommand.addToAcceptList($0).parameters }) {
      return "accept list"
    }
    let peers = radio.resolvingList.wanted
    if controller.resolvesAddresses == peers.isEmpty { return "resolution" }
    if !peers.isEmpty {
      let wanted = peers.map { HCICommand.addToResolvingList($0.address, key: $0.key ?? []).parameters }
      if Set(controller.resolvingList) != Set(wanted) { return "resolving list" }
    }
    return isFree ? differenceOfOthers : nil
  }

  private func difference(of set: AdvertisingSet) -> String? {
    let isExtended = controller.isExtended
    let present = controller.sets[isExtended ? set.handle : 0] ?? RuledController.Set()
    let parameters: HCICommand = isExtended ? .setParameters(set) : .setLegacyParameters(set)
    if present.parameters != parameters.parameters { return "parameters" }
    let address = isExtended ? present.address : controller.randomAddress
    if let wanted = set.address, address != wanted.littleEndianBytes { return "address" }
    let room = set.room(radio.abilities)
    if room.advertisingData > 0, present.data != set.data { return "data" }
    return room.scanResponse > 0 && present.scanResponse != set.scanResponse ? "scan response" : nil
  }

  /// Of a scan and a request whose address is free.
  private var differenceOfOthers: String? {
    let (request, scan, isExtended) = (radio.initiating.wanted, radio.scanning.wanted, controller.isExtended)
    let command = request.map { HCICommand.createConnection($0, isExtended: isExtended) }
    if controller.request != command?.parameters { return "request" }
    if let address = request?.address, controller.randomAddress != address.littleEndianBytes {
      return "address of the request"
    }
    guard let scan else { return controller.scan == nil ? nil : "scan" }
    if let address = request?.address, scan.address != nil, scan.address != address {
      return controller.scan == nil ? nil : "scan with the request's address"
    }
    let start = HCICommand.startScan(scan, isExtended: isExtended)
    let parameters = HCICommand.setScanParameters(scan, isExtended: isExtended)
    return controller.scan == start.parameters && controller.scanParameters == parameters.parameters
      ? nil : "scan"
  }
}
