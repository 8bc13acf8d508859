extension EventLoop {
  /// Calls its handler again and again while a file descriptor is ready.
  ///
  /// End it before you close the descriptor: a closed or reused number would keep the loop busy.
  /// Dropping the watch ends it.
  @EventLoop
  package final class DescriptorWatch {
    private let entry: DescriptorList.Entry

    /// The conditions for which the handler is called, besides ``Readiness/hangUp`` and ``Readiness/error``. May be
    /// empty.
    ///
    /// A change takes effect at the loop's next wait, so a change that is undone before then costs nothing.
    package var interests: Readiness {
      get { entry.interests }
      set { DescriptorList.shared.change(entry, to: newValue) }
    }

    /// - Parameter descriptor: Borrowed, not closed.
    package init(
      _ descriptor: Int32, for interests: Readiness, _ handler: @escaping @EventLoop (Readiness) -> Void
    ) {
      entry = DescriptorList.Entry(descriptor, interests, handler)
      DescriptorList.shared.add(entry)
    }

    deinit { EventLoop.perform { [entry] in DescriptorList.shared.remove(entry) } }

    /// Removes the descriptor from the loop. The watch cannot be used again.
    package func end() { DescriptorList.shared.remove(entry) }
  }
}
