"""Who plays: bots, engines that are other programs, and matches between them."""
