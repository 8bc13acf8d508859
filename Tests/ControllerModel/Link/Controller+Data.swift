import Bluetooth

// ACL data (Vol 4 Part E 5.4.2)
extension Controller {
  /// Takes a packet whose length is right.
  mutating func receiveData(_ packet: [UInt8]) {
    let (handle, flags) = (UInt16(packet[1], packet[2]) & 0x0FFF, packet[2] >> 4)
    guard let end = state.links[handle] else {
      if !freshlyClosed.contains(handle) { mistakes.append(.dataForUnknownLink(handle: handle)) }
      return
    }
    guard state.links.values.reduce(0, { $0 + $1.heldPacketCount }) < traits.dataPacketCount else {
      mistakes.append(.dataWithoutCredit(handle: handle))
      return emit(0x1A, [0x01])  // Data Buffer Overflow
    }
    let bytes = packet[5...]
    guard 1...traits.dataPacketSize ~= bytes.count else {
      return mistakes.append(.dataSize(handle: handle, bytes.count))
    }
    guard flags == 0 || flags == 1 && end.hasBegunFrame else {
      return mistakes.append(.dataFlags(handle: handle, flags))
    }
    state.links[handle]?.queueData(bytes, isStart: flags == 0)
  }

  /// Gives the host data from the air, in pieces that fit.
  mutating func deliver(_ bytes: [UInt8], isStart: Bool, on handle: UInt16) {
    for start in stride(from: 0, to: bytes.count, by: traits.dataPacketSize) {
      let piece = bytes[start..<min(start + traits.dataPacketSize, bytes.count)]
      let number = handle | (isStart && start == 0 ? 0x2000 : 0x1000)
      output.append([0x02] + number.littleEndianBytes + UInt16(piece.count).littleEndianBytes + piece)
    }
  }

  /// Number Of Completed Packets (7.7.19), after a connection event.
  mutating func reportCompletedPackets(_ handle: UInt16) {
    guard let count = state.links[handle]?.completedPacketCount, count > 0 else { return }
    state.links[handle]?.completedPacketCount = 0
    emit(0x13, [1] + handle.littleEndianBytes + UInt16(count).littleEndianBytes)
  }
}

extension LinkEnd {
  /// Queues a packet of the host in pieces of the length that the air takes.
  fileprivate mutating func queueData(_ bytes: ArraySlice<UInt8>, isStart: Bool) {
    heldPacketCount += 1
    hasBegunFrame = true
    var rest = bytes
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Int(octets.sent)))
      rest = rest.dropFirst(piece.count)
      queue.append(
        .data(
          piece, isStart: isStart && rest.startIndex == bytes.startIndex + piece.count, isLast: rest.isEmpty))
    }
  }
}
