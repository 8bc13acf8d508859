import BlemuControl
import Definitions
import Devices
import Wire

/// What a stand says of a device besides its definition.
struct StandPlace {
  let entry: Stand.Device
  /// As after `--on`.
  let text: String
  /// nil: it has a mistake, which has been reported.
  let transport: TransportSpecification?
  let wireSide: WireSide
  let statePath: String?
}

extension StandReader {
  func place(of entry: Stand.Device) -> StandPlace {
    if !ControlFolder.isName(entry.name.text) { report(.badDeviceName(entry.name.text), at: entry.name) }
    let text = entry.place?.text ?? standardPlace
    let transport = read(entry.place ?? entry.name) { () throws(CommandError) in
      try TransportSpecification(text, of: "on")
    }
    return StandPlace(
      entry: entry, text: text, transport: transport, wireSide: entry.wire.flatMap(wireSide) ?? .none,
      statePath: entry.state.map { path($0.text) })
  }

  private func wireSide(_ wire: Stand.Wire) -> WireSide? {
    switch wire {
    case .terminal(let text):
      return read(text) { () throws(CommandError) in
        .pseudoTerminal(path(try WireSide.path(text.text, of: "pty")))
      }
    case .serial(let text):
      return read(text) { () throws(CommandError) in
        try WireSide.device(text.text.isEmpty ? "" : path(text.text), of: "serial")
      }
    case .port(let text):
      return read(text) { () throws(CommandError) in .tcp(try WireSide.place(text.text, of: "tcp")) }
    case .program(let words, let restart):
      let policy = restart.flatMap { text in
        read(text) { () throws(CommandError) in try WireSide.policy(text.text, of: "restart") }
      }
      return .program(words.map(\.text), policy ?? .onFailure)
    }
  }
}

// MARK: What only one device can have

extension StandReader {
  private typealias Claims = [(owner: String, claim: DeviceClaim)]

  func checkClaims(of places: [StandPlace]) {
    var claims: Claims = []
    for place in places {
      let (entry, name) = (place.entry, place.entry.name.text)
      add(place.transport?.claim, of: name, at: (entry.place ?? entry.name).range, to: &claims)
      add(place.statePath.map(DeviceClaim.file), of: name, at: entry.state?.range, to: &claims)
      add(place.wireSide.claim, of: name, at: entry.wire?.range, to: &claims)
    }
  }

  private func add(_ claim: DeviceClaim?, of owner: String, at range: SourceRange?, to claims: inout Claims) {
    guard let claim, let range else { return }
    if let other = claims.first(where: { $0.owner != owner && $0.claim.collides(with: claim) }) {
      file.report(.taken(claim, by: other.owner), at: range)
    }
    claims.append((owner, claim))
  }
}
