"""Where programs run: text and buffers, never the IR's meaning."""
