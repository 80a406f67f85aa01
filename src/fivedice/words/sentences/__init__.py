"""Every sentence, by the part of Fivedice that says it. A kind such as "table.rolled" stands in `table_sentences`."""
