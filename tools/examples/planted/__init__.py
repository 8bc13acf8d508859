"""The client with one bug each: what is different, which tests find it, and what they say."""
