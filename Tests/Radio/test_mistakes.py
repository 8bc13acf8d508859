"""Controllers that cannot be used: one sentence each, and what to do."""
import socket
import subprocess
import threading

from programs import BLEMU, PATIENCE, free_port


def refusal(place):
    done = subprocess.run([BLEMU, "run", "hm-10", "--on", f"exact:{place}"], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == ""
    return done.stderr


def test_nothing_listens():
    port = free_port()
    assert f"nothing listens at localhost:{port}" in refusal(f"tcp:localhost:{port}")


def test_another_server_is_not_a_controller():
    with socket.create_server(("127.0.0.1", 0)) as server:
        def greet():
            server.accept()[0].sendall(b"SSH-2.0\r\n")

        threading.Thread(target=greet, daemon=True).start()
        port = server.getsockname()[1]
        assert f"the bytes from 127.0.0.1:{port} are not HCI (first wrong byte 0x53)" in refusal(f"tcp:127.0.0.1:{port}")


def test_a_server_that_closes_at_once():
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=lambda: server.accept()[0].close(), daemon=True).start()
        port = server.getsockname()[1]
        assert f"127.0.0.1:{port} has closed the connection" in refusal(f"tcp:127.0.0.1:{port}")


def test_a_server_that_says_nothing():
    with socket.create_server(("127.0.0.1", 0)) as server:
        said = refusal(f"tcp:127.0.0.1:{server.getsockname()[1]}")
        assert "did not answer" in said or "has not answered" in said


def test_a_serial_port_that_is_none(tmp_path):
    assert f"there is no serial port '{tmp_path}/ttyACM0'" in refusal(f"{tmp_path}/ttyACM0")
    assert "'/dev/null' is not a serial port" in refusal("/dev/null")


def test_a_place_that_is_none():
    assert "tcp needs a host and a port, as in tcp:localhost:6402" in refusal("tcp:6402")
    assert "the speed of a serial port is a number from 1200 to 12000000" in refusal("/dev/ttyACM0:0")
