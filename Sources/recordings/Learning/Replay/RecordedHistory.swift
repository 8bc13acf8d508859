import Bluetooth

/// The requests of all recorded connections as a tree. A place in it stands for all requests of one connection so far, so
/// connections that begin alike share their first places.
struct RecordedHistory: Sendable {
  /// The way from one place to the next.
  struct Branch: Hashable, Sendable {
    var place: Int
    var request: RecordedTrigger
    var next: Int
    /// How the device refused the request there; nil: it granted it.
    var refusal: ATTError?
  }

  /// Where each connection begins. Place 0 stands for a connection that is unlike all recorded ones.
  static let beginning = 1
  /// A longer history would not fit into the tables of a definition.
  private static let mostBranches = 10_000

  /// In the order of their first occurrence.
  private(set) var branches: [Branch] = []
  /// By conversation and exchange: the place after the exchange.
  private var places: [[Int]] = []
  /// By conversation: the places after the subscriptions that were made before the recording.
  private var earlierPlaces: [[AttributeHandle: Int]] = []
  private var indices: [BranchStart: Int] = [:]

  private struct BranchStart: Hashable {
    var place: Int
    var request: RecordedTrigger
  }

  let refusals: RecordedRefusals
  let forms: RequestForms

  /// - Parameter explained: the characteristics whose requests count byte for byte, by the handles of their values: rules of a
  ///   model deal with them.
  init(_ conversations: [Conversation], _ table: ObservedTable, except explained: Set<AttributeHandle>) {
    refusals = RecordedRefusals(conversations, table)
    forms = RequestForms(conversations, table, except: explained.union(refusals.handles))
    for conversation in conversations { add(conversation, table) }
  }

  /// Whether it is short enough to be written.
  var isUsable: Bool { branches.count <= Self.mostBranches }

  /// The place after an exchange, by the indices of its conversation and the exchange.
  func place(after exchange: Int, in conversation: Int) -> Int {
    guard places.indices.contains(conversation), places[conversation].indices.contains(exchange) else {
      return 0
    }
    return places[conversation][exchange]
  }

  /// The place after a subscription that was made before the recording.
  func place(afterEarlier handle: AttributeHandle, in conversation: Int) -> Int {
    earlierPlaces.indices.contains(conversation) ? earlierPlaces[conversation][handle] ?? 0 : 0
  }

  private mutating func add(
    _ conversation: Conversation, _ table: ObservedTable
  ) {
    var place = Self.beginning
    var subscribed: Set<AttributeHandle> = []
    earlierPlaces.append([:])
    for earlier in conversation.earlierSubscriptions(in: table) {
      subscribed.insert(earlier.handle)
      guard table.characteristic(of: earlier.handle)?.sendsValues == true else { continue }
      place = next(from: place, .subscribe(earlier.handle), refusal: nil)
      earlierPlaces[earlierPlaces.count - 1][earlier.handle] = place
    }
    places.append(
      conversation.exchanges.map { exchange in
        guard let trigger = RecordedTrigger(exchange, table, &subscribed) else { return place }
        guard case .write(_, _, .refused(let error)) = exchange.kind else {
          place = next(from: place, trigger, refusal: nil)
          return place
        }
        let isSubscribed = trigger.handle.map(subscribed.contains) == true
        if !refusals.explain(trigger, isSubscribed: isSubscribed) {
          place = next(from: place, trigger, refusal: error)
        }
        return place
      })
  }

  private mutating func next(from place: Int, _ trigger: RecordedTrigger, refusal: ATTError?) -> Int {
    let request = forms.canonical(trigger)
    let start = BranchStart(place: place, request: request)
    if let index = indices[start] {
      if refusal == nil { branches[index].refusal = nil }
      return branches[index].next
    }
    let next = branches.count + Self.beginning + 1
    indices[start] = branches.count
    branches.append(Branch(place: place, request: request, next: next, refusal: refusal))
    return next
  }
}
