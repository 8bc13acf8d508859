/// Sends the response to a request late, or never.
struct Answer: FaultEffect {
  /// nil: never.
  let lateness: Duration?

  var requestFate: RequestFate? { .answered(after: lateness) }
}
