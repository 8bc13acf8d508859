"""It takes each notification for a whole answer."""
import client

FOUND_BY = {
    "test_joins_a_frame_that_comes_in_pieces": "split into 3 pieces out on serial",
    "test_joins_a_line_that_is_longer_than_a_notification": "- temperature 21.5 C, humidity 45 %, pressure 1013 hPa",
}


class Link(client.Link):
    def collect(self, received: bytearray, value: bytes) -> None:
        received[:] = value
