"""The client with one bug each: the difference, the tests that find it, and their messages."""
