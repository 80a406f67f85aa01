"""Every sentence, by the part of Fivedice that uses it. The kind "table.rolled" is in `table_sentences`."""
