"""The web table: pages, actions, live stream and JSON API over `table`."""
