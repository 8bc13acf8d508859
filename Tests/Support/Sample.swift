import Glibc

/// How many rounds a random test has: a fifth of them, the same each time, or all with `BLEMU_TEST_ALL=1` in the environment
/// (`tools/test-swift --all`).
package enum Sample {
  private static let isWhole = getenv("BLEMU_TEST_ALL") != nil

  package static func rounds(of all: Int) -> Int { isWhole ? all : (all + 4) / 5 }
}
