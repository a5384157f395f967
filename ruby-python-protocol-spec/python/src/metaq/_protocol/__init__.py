"""The protocol's bytes: frames, requests, stored messages. Nothing here does input or output, or keeps time."""
