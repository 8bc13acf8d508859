// Replaced as the target is written.
