"""The published clients of Tests/Clients on hci1, with BlueZ: without --all, those that show something of it."""
import bluez
from test_advertisers import *  # noqa: F403
from test_air import *  # noqa: F403
from test_batteries import *  # noqa: F403
from test_boards import *  # noqa: F403
from test_car import *  # noqa: F403
from test_fitness import *  # noqa: F403
from test_health import *  # noqa: F403
from test_home import *  # noqa: F403
from test_lights import *  # noqa: F403
from test_locks import *  # noqa: F403
from test_printers import *  # noqa: F403
from test_ring import *  # noqa: F403
from test_serial_modules import *  # noqa: F403

for test in (test_bledom_controls_the_strip, test_smpclient_manages_the_zephyr_device, test_the_client_finds_it_by_name,  # noqa: F405
             test_the_scanner_of_ble_serial_finds_a_module_and_lists_its_services,  # noqa: F405
             test_the_client_sets_the_clock_and_reads_the_heart_rates_of_that_day):  # noqa: F405
    bluez.with_bleak_022(test)
del test

# On BlueZ, the log does not come: the client asks for it once, without a response, which seems to overtake its subscription.
del test_combustion_ble_watches_a_roast_and_gets_its_log  # noqa: F821
