import DeviceModel

extension Fault.Kind {
  /// The effect of the kind. A new kind is a file in `Kinds` and a line here.
  var effect: any FaultEffect {
    switch self {
    case .drop: Drop()
    case .duplicate: Duplicate()
    case .delay(let time, let jitter): Delay(time: time, jitter: jitter ?? .zero)
    case .reorder: Reorder()
    case .corrupt(let count, .bits): CorruptBits(count: count)
    case .corrupt(let count, .bytes): CorruptBytes(count: count)
    case .truncate(let size): Truncate(size: size)
    case .split(let count): Split(count: count)
    case .merge(let count): Merge(count: count)
    case .stall(let time): Stall(time: time)
    case .throttle(let speed): Throttle(speed: speed)
    case .spoilChecksum: SpoilChecksum()
    case .refuse(let error): Refuse(error: error)
    case .answer(let lateness): Answer(lateness: lateness)
    case .confirm: Confirm()
    case .refuseParameters, .ignoreParameters, .failPairing, .spoilConfirm, .refuseEncryption:
      SpoilLinkRequest()
    case .disconnect: Disconnect()
    case .loseLink: LoseLink()
    case .reboot: Reboot()
    case .refuseConnections: RefuseConnections()
    case .stopAdvertising: StopAdvertising()
    case .advertise(let name): AdvertiseAs(name: name)
    case .garbleAdvertisement: GarbleAdvertisement()
    case .vanish: Vanish()
    case .fade(let rssi): Fade(rssi: rssi)
    case .losePackets(let percent): LosePackets(percent: percent)
    case .leaveRange: LeaveRange()
    }
  }
}
