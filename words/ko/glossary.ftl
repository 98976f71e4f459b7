# 용어집 페이지.

page-glossary = 용어집
glossary-find = 용어 찾기
glossary-find-none = 빔, 마스크, BLEU …
glossary-none = 일치하는 용어가 없습니다. 한국어나 영어 단어 하나로 검색해 보세요.
glossary-background = 앱의 다른 화면에는 나오지 않는, 분야나 코드의 용어입니다.
