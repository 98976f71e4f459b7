# Stored measurements that cannot be shown: missing, measured with other weights, or damaged.

stored-found = { $file } has no such value: it has not been measured for this model.
stored-missing = This has not been measured yet: { $file } does not exist. Measure it with:
stored-foreign = { $file } was measured with other weights, so its values are not shown. Measure it again with:
stored-damaged = { $file } is damaged ({ $fault }), so its values are not shown. Write it again with:
stored-unreadable = the file cannot be opened ({ $error })
stored-no-text = byte { $byte } is not UTF-8 text
stored-no-json = line { $line }, column { $column } is not JSON
stored-unfit = { $field }: { $told }
stored-unfit-whole = { $told }
