import Glibc

/// The most file descriptors that the process may have open (RLIMIT_NOFILE of getrlimit(2)).
package enum DescriptorLimit {
  /// The limit with which the process was started.
  private static let inherited = current

  private static var current: rlimit {
    var limit = rlimit()
    getrlimit(resource, &limit)
    return limit
  }

  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

  /// Raises the limit as far as the system allows.
  ///
  /// By default, it is 1,024, for programs with select(2), which knows no higher numbers. The loop needs none of that.
  package static func raise() { set(inherited.rlim_max) }

  /// Starts a program, which may use select(2), with the limit that this process was started with.
  package static func withInherited<Result>(_ body: () -> Result) -> Result {
    let raised = current.rlim_cur
    set(inherited.rlim_cur)
    defer { set(raised) }
    return body()
  }

  private static func set(_ most: rlim_t) {
    var limit = current
    limit.rlim_cur = most
    setrlimit(resource, &limit)
  }
}
