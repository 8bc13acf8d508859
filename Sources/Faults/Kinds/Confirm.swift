/// Lets the device wait for a confirmation that has come. ``ConfirmationFault`` does that.
struct Confirm: FaultEffect {}
