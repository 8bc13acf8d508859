import Framing
import Learning
import Testing

struct ObservedValueTests {
  @Test func itsFirstValueIsTheFirstReadThatSucceeded() {
    var value = ObservedValue()
    value.readings = [
      .init(.refused(.readNotPermitted), at: Instant()), .init(.success([1]), at: .milliseconds(5)),
    ]
    #expect(value.first == [1])
  }
}
