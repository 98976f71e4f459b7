# 용어집 페이지.

page-glossary = 용어집
glossary-find = 용어 찾기
glossary-find-example = 빔, 마스크, BLEU …
glossary-none = 이 말이 들어 있는 용어나 뜻이 없습니다. 한국어나 영어 단어 하나로 찾아보세요.
