/// Hides a received confirmation from the device for a time. ``ConfirmationFault`` does that.
struct Confirm: FaultEffect {}
