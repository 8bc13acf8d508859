// Replaced as the tests are written.
