import Bluetooth
import ControllerModel
import Framing
import HCIPackets

@testable import Host

/// Radios on the model of controllers: what they want is all that their hosts do.
struct RadiosOnAir {
  private struct Node {
    var controller: Air.ControllerID
    var radio: RadioState
    var reports: [AdvertisingReport] = []
    var events: [RadioEvent] = []
    var links: [LinkHandle] = []
  }

  private var air = Air()
  private var nodes: [Node] = []

  /// Starts a controller.
  mutating func add(_ traits: ControllerTraits) throws(ControllerFailure) {
    let controller = air.add(traits)
    var start = ControllerStart()
    while let command = start.nextCommand() {
      let answer = air.answer(to: command, controller)
      try start.completed(answer.error, answer.parameters)
    }
    nodes.append(Node(controller: controller, radio: RadioState(start.abilities)))
  }

  subscript(index: Int) -> RadioState {
    get { nodes[index].radio }
    set { nodes[index].radio = newValue }
  }

  /// Lets so many milliseconds pass.
  mutating func run(_ milliseconds: Int64) {
    let end = air.now.advanced(by: .milliseconds(milliseconds))
    settle()
    while let next = air.nextInstant, next <= end {
      air.advance(to: next)
      settle()
    }
    air.advance(to: end)
  }

  private mutating func settle() {
    for index in nodes.indices {
      hear(index)
      while let command = nodes[index].radio.nextCommand() {
        let answer = air.answer(to: command, nodes[index].controller)
        for packet in answer.earlier { hear(packet, index) }
        nodes[index].events += nodes[index].radio.completed(command, answer.error)
        hear(index)
      }
    }
  }

  private mutating func hear(_ index: Int) {
    for packet in air.take(from: nodes[index].controller) { hear(packet, index) }
  }

  private mutating func hear(_ packet: [UInt8], _ index: Int) {
    nodes[index].reports += AdvertisingReport.reports(in: packet.dropFirst())
    guard let event = HCIEvent(packet) else { return }
    if case .connected(let link) = event { nodes[index].links.append(link.handle) }
    if case .disconnected(let handle, _) = event { nodes[index].links.removeAll { $0 == handle } }
    nodes[index].events += nodes[index].radio.take(event)
  }

  /// Ends a link, if there is one.
  mutating func disconnect(_ index: Int) {
    guard let handle = nodes[index].links.first else { return }
    let command = HCICommand.disconnect(handle, .remoteUserTerminated)
    for packet in air.answer(to: command, nodes[index].controller).earlier { hear(packet, index) }
    hear(index)
  }

  mutating func takeReports(_ index: Int) -> [AdvertisingReport] {
    defer { nodes[index].reports = [] }
    return nodes[index].reports
  }

  mutating func takeEvents(_ index: Int) -> [RadioEvent] {
    defer { nodes[index].events = [] }
    return nodes[index].events
  }

  var mistakes: [HostMistake] { nodes.flatMap { air.mistakes(by: $0.controller) } }
}

extension Air {
  /// Gives a controller a command.
  ///
  /// - Returns: the status and the parameters after it, and what the controller has sent before.
  fileprivate mutating func answer(to command: HCICommand, _ controller: ControllerID)
    -> (error: HCIError?, parameters: [UInt8], earlier: [[UInt8]])
  {
    send(command.packet, to: controller)
    var (status, parameters, rest): (HCIError?, [UInt8], [[UInt8]]) = (nil, [], [])
    for packet in take(from: controller) {
      switch HCIEvent(packet) {
      case .completed(command.opcode, let answer):
        status = answer.first.flatMap { $0 == 0 ? nil : HCIError(rawValue: $0) }
        parameters = Array(answer.dropFirst())
      case .begun(command.opcode, let error): status = error
      default: rest.append(packet)
      }
    }
    return (status, parameters, rest)
  }
}
