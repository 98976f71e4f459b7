"""Many sentences in constant memory: files of any size, in this process or on many by Ray."""
