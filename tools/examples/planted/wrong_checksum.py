"""It does not check the checksum."""
import client

FOUND_BY = {"test_rejects_a_frame_with_a_wrong_checksum": "spoil checksum out on serial message packet once"}


class Bracelet(client.Bracelet):
    def is_intact(self, frame: bytes) -> bool:
        return True
