# Stored measurements: what is missing, of other weights or damaged is said, and nothing of it shown.

stored-found = { $file } does not hold this: it was not measured for this model.
stored-missing = { $file } is not there: this has not been measured yet. The command measures it:
stored-foreign = { $file } was measured with other weights than these, so nothing of it is shown. The command measures it again:
stored-damaged = { $file } is damaged, so nothing of it is shown: { $fault }. The command writes it again:
stored-unreadable = the file cannot be opened ({ $error })
stored-no-text = byte { $byte } is no UTF-8 text
stored-no-json = line { $line }, column { $column } is no JSON
stored-unfit = { $field }: { $told }
stored-unfit-whole = { $told }
