# 저장된 측정값: 없거나, 다른 가중치의 것이거나, 손상되었으면 그렇다고 알리고 그 파일의 값은 표시하지 않습니다.

stored-found = { $file } 파일에 이 값이 없습니다. 이 모델에서는 측정하지 않은 값입니다.
stored-missing = { $file } 파일이 없습니다. 아직 측정하지 않은 값이며, 다음 명령으로 측정할 수 있습니다.
stored-foreign = { $file } 파일의 값은 다른 가중치로 측정했으므로 표시하지 않습니다. 다음 명령으로 다시 측정할 수 있습니다.
stored-damaged = { $file } 파일이 손상되어 값을 표시하지 않습니다({ $fault }). 다음 명령으로 다시 만들 수 있습니다.
stored-unreadable = 파일을 열 수 없음: { $error }
stored-no-text = { $byte }번 바이트가 UTF-8 텍스트가 아님
stored-no-json = { $line }행 { $column }열이 JSON이 아님
stored-unfit = { $field }: { $told }
stored-unfit-whole = { $told }
