"""It does not ask again when a notification is lost."""
import client

FOUND_BY = {"test_asks_again_when_a_notification_is_lost": "drop out on serial message packet once"}


class Link(client.Link):
    def nothing_came(self, request: bytes) -> None:
        raise client.NoAnswer(f"{self.name} has not answered {request!r}")
