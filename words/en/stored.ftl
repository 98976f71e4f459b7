# Stored measurements: what is missing, of other weights or damaged is said, and nothing of it shown.

stored-found = { $file } has no such value: it was not measured for this model.
stored-missing = { $file } does not exist: this has not been measured yet. Measure it with this command:
stored-foreign = { $file } was measured with other weights, so none of its values are shown. Measure it again with this command:
stored-damaged = { $file } is damaged, so none of its values are shown: { $fault }. Write it again with this command:
stored-unreadable = the file cannot be opened ({ $error })
stored-no-text = byte { $byte } is not UTF-8 text
stored-no-json = line { $line }, column { $column } is not JSON
stored-unfit = { $field }: { $told }
stored-unfit-whole = { $told }
