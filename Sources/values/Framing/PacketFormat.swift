/// The layout of a binary packet: start, content, check bytes, tail.
///
///     A5    06      03 01 02   A3              DD    03 00 02  0D 00   FF F1    77
///     start length  content    check           start length … content  check    tail
package struct PacketFormat: Hashable, Sendable {
  package enum Extent: Hashable, Sendable {
    /// Every frame has this many bytes, with start and tail.
    case fixed(Int)
    case lengthField(LengthField)
    /// The first occurrence of the tail ends the frame.
    case untilTail
  }

  package let start: [UInt8]
  /// The bits of the start bytes that count; empty: all. The others are 0 in ``start``.
  package let startMask: [UInt8]
  package let extent: Extent
  package let check: CheckField?
  /// What must be true of a whole frame; nil: nothing.
  package let condition: FrameCondition?
  package let tail: [UInt8]

  package init(
    start: [UInt8] = [], startMask: [UInt8] = [], extent: Extent, check: CheckField? = nil,
    condition: FrameCondition? = nil, tail: [UInt8] = []
  ) {
    precondition(startMask.isEmpty || startMask.count == start.count, "a mask is as long as the start")
    self.start = startMask.isEmpty ? start : zip(start, startMask).map { $0 & $1 }
    self.startMask = startMask.allSatisfy { $0 == 0xFF } ? [] : startMask
    self.extent = extent
    self.check = check
    self.condition = condition
    self.tail = tail
    if case .fixed(let length) = extent {
      precondition(length >= max(1, minimumLength), "a fixed length has room for all fields")
    }
    precondition(extent != .untilTail || !tail.isEmpty, "a packet that ends with its tail has one")
  }
}

/// A number in the packet that gives its length.
package struct LengthField: Hashable, Sendable {
  package enum Counts: String, CaseIterable, Sendable {
    /// All bytes from the first start byte to the last tail byte.
    case frame
    /// The bytes between the length field and the check bytes.
    case payload
    /// All bytes after the length field.
    case rest
  }

  /// Bytes before the field, counted from the first start byte.
  package var offset: Int

  /// In bytes: 1 or 2.
  package var width: Int
  package var byteOrder: ByteOrder
  package var counts: Counts

  /// Added to the number before it is used.
  package var adjust: Int

  package init(
    at offset: Int, width: Int = 1, byteOrder: ByteOrder = .bigEndian, counts: Counts, adjust: Int = 0
  ) {
    precondition(offset >= 0, "a length field lies inside the packet")
    precondition((1...2).contains(width), "a length field is one or two bytes wide")
    self.offset = offset
    self.width = width
    self.byteOrder = byteOrder
    self.counts = counts
    self.adjust = adjust
  }

  var end: Int { offset + width }
}

/// The place of the check bytes in a packet, and the bytes that they cover.
package struct CheckField: Hashable, Sendable {
  package var checksum: Checksum

  /// The first covered byte; the last one is the byte before the check bytes.
  package var start: Int

  /// Bytes between the check bytes and the tail, or the end of the frame.
  package var trailing: Int

  package init(_ checksum: Checksum, from start: Int = 0, trailing: Int = 0) {
    precondition(start >= 0 && trailing >= 0, "a checksum lies inside the packet")
    self.checksum = checksum
    self.start = start
    self.trailing = trailing
  }

  /// Bytes from the first check byte to the tail.
  package var size: Int { checksum.width + trailing }
}

extension PacketFormat {
  /// The same packets without their checksum and their condition.
  package var unchecked: Self { Self(start: start, startMask: startMask, extent: extent, tail: tail) }

  /// Whether bytes begin with the start, or are its beginning if they are fewer.
  package func mayStart(_ bytes: some Collection<UInt8>) -> Bool {
    zip(bytes, start.indices).allSatisfy { byte, index in
      byte & (startMask.isEmpty ? 0xFF : startMask[index]) == start[index]
    }
  }

  /// The shortest frame with all parts of the format.
  package var minimumLength: Int {
    var head = max(start.count, check?.start ?? 0)
    if case .lengthField(let field) = extent { head = max(head, field.end) }
    return head + (check?.size ?? 0) + tail.count
  }

  /// The length of a frame with `number` in its length field.
  package func frameLength(for number: Int, in field: LengthField) -> Int {
    switch field.counts {
    case .frame: number + field.adjust
    case .rest: field.end + number + field.adjust
    case .payload: field.end + number + field.adjust + (check?.size ?? 0) + tail.count
    }
  }
}
