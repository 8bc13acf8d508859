import Bluetooth

/// Refuses a request in place of the device.
struct Refuse: FaultEffect {
  let error: ATTError

  var requestFate: RequestFate? { .refused(error) }
}
