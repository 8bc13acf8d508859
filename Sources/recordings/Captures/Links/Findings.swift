import Bluetooth
import Framing
import HCIPackets

/// What has been found in a recording so far.
struct Findings: Sendable {
  /// What tells the devices of a recording apart.
  enum Device: Hashable {
    case known(LinkAddress)
    /// A device that an adapter of the recording is, with an address that is not in the recording.
    case local(adapter: Int)
    /// One whose link began before the recording did.
    case unknown(Int)
  }

  private(set) var links: [ObservedLink] = []
  /// How many events and advertisements there are.
  private(set) var size = 0
  private var result: Capture
  private var advertisements: [Device: [CapturedAdvertisement]] = [:]
  /// The number of the first packet of each device.
  private var order: [Device: (packet: Int, serial: Int)] = [:]
  private var remarks: [Remark: (count: Int, offset: Int)] = [:]

  init(format: String) { result = Capture(format: format) }

  mutating func count(_ packet: CapturedPacket) {
    result.packetCount += 1
    // A recorder's own notes may be older than its packets.
    if packet.layer == .remark { return }
    if result.start == nil { result.start = packet.time }
    result.end = max(result.end ?? packet.time, packet.time)
  }

  mutating func add(_ advertisement: CapturedAdvertisement, of device: Device) {
    size += 1
    see(device, in: result.packetCount)
    advertisements[device, default: []].append(advertisement)
  }

  /// Adds a link. Returns its place in ``links``.
  mutating func begin(_ link: ObservedLink) -> Int {
    size += 1
    var link = link
    link.firstPacket = result.packetCount
    links.append(link)
    return links.count - 1
  }

  mutating func add(_ kind: CapturedEvent.Kind, toLink index: Int, at time: Instant) {
    size += 1
    links[index].add(kind, at: time)
  }

  mutating func add(_ frame: L2CAPFrame, from sender: LinkRole, toLink index: Int, at time: Instant) {
    size += 1
    links[index].add(frame, from: sender, at: time)
  }

  mutating func endLink(
    _ index: Int, at time: Instant, _ reason: HCIError?, by end: LinkRole?, isConnectable: Bool = true
  ) {
    links[index].end(at: time, reason, by: end, isConnectable: isConnectable)
  }

  mutating func note(_ remark: Remark, at offset: Int) {
    remarks[remark, default: (0, offset)].count += 1
  }

  private mutating func see(_ device: Device, in packet: Int) {
    let earlier = order[device] ?? (packet, order.count)
    order[device] = (min(earlier.packet, packet), earlier.serial)
  }
}

// MARK: - The end

extension Findings {
  mutating func capture() -> Capture {
    var connections: [Device: [CapturedConnection]] = [:]
    for (link, device) in zip(links, devicesOfLinks()) {
      see(device, in: link.firstPacket)
      connections[device, default: []].append(link.connection)
      if let missing = link.missingSide {
        note(.oneDirection(of: name(device), missing: missing), at: link.offset)
      }
    }
    result.devices = order.sorted { $0.value < $1.value }.map { device, _ in
      var captured = CapturedDevice(address: device.address)
      captured.advertisements = advertisements[device] ?? []
      captured.connections = connections[device] ?? []
      return captured
    }
    result.notes += remarks.sorted { ($0.value.offset, $0.key.text(1)) < ($1.value.offset, $1.key.text(1)) }
      .map { CaptureNote($0.kind, $0.text($1.count), offset: $1.offset) }
    return result
  }

  /// More links at the same time are no recording, and would take long.
  private static let mostOverlaps = 64

  /// Links whose device is unknown are those of one device unless they overlap.
  private func devicesOfLinks() -> [Device] {
    var unknown: [Instant] = []
    return links.map { link in
      if let device = link.device { return device }
      let number =
        unknown.indices.suffix(Self.mostOverlaps).first { unknown[$0] <= link.first } ?? unknown.count
      if number == unknown.count { unknown.append(link.last) } else { unknown[number] = link.last }
      return .unknown(number)
    }
  }

  private func name(_ device: Device) -> String {
    device.address.map { "\($0)" } ?? "the device whose address is not in the recording"
  }
}

extension Findings.Device {
  var address: LinkAddress? {
    if case .known(let address) = self { address } else { nil }
  }
}
