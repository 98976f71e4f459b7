# 용어집 페이지.

page-glossary = 용어집
glossary-find = 용어 찾기
glossary-find-none = 빔, 마스크, BLEU …
glossary-none = 일치하는 용어가 없습니다. 한국어나 영어 단어 하나로 검색해 보세요.
glossary-matches = 모든 주제에서 찾은 용어: { $n }개
glossary-by = 순서
glossary-by-topic = 주제별
glossary-by-letter = 가나다순
glossary-topic = 주제
glossary-letter = 첫 글자
glossary-background = 앱의 다른 화면에는 나오지 않는, 분야나 코드의 용어입니다.
