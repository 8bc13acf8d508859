"""It does not wait long enough for the device."""
import client

FOUND_BY = {"test_waits_for_a_slow_bracelet": "delay 3s out on serial once"}


class Link(client.Link):
    answer_time = 0.8
