/// Spoils what a central asks below ATT. ``LinkRequestFault`` does that.
struct SpoilLinkRequest: FaultEffect {}
