"""It does not connect again when the device ends the connection."""
import client

FOUND_BY = {
    "test_reads_on_after_a_disconnection": "'connect' did not come",
    "test_finds_the_module_again_after_a_restart": "'connect' did not come",
}


class Link(client.Link):
    async def reconnect(self) -> None:
        pass
