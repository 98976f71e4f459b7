# 이미지 캡셔닝 페이지: 장면, 캡션, 단어별 이미지 어텐션.

page-captions = 이미지 캡셔닝
view-captions = 이미지 캡셔닝 보기
view-captions-gaze = 장면 캡션
need-scene = 이 모델의 이미지 어텐션은 여기서 볼 수 없습니다.
language-scene = 장면
example-three = 도형 세 개
example-overlap = 겹침
example-two = 도형 두 개
example-four = 도형 네 개
example-new-two = 새 장면: 둘
example-new-three = 새 장면: 셋
family-captioner = 이미지 캡셔닝 모델
system-captions-soft = 소프트 어텐션 캡션 모델(Xu 2015)
system-captions-soft-ko = 한국어 소프트 어텐션 캡션 모델(Xu 2015)
system-captions-hard = 하드 어텐션 캡션 모델(Xu 2015)
system-captions-mean = 평균 풀링 캡션 모델(대조 모델)
site-gaze = 이미지 어텐션
site-gaze-attention = 이미지 어텐션
site-gaze-short = 이미지
site-gaze-name = 이미지

# 텍스트로 쓴 장면

scene-empty = 장면이 비어 있습니다.
scene-many = 장면에 도형이 { $n }개 있습니다. { $most }개까지 놓을 수 있으니 몇 개를 지우세요.
scene-crowded = { $row }행 { $column }열에 도형이 둘 이상 있습니다. 큰 고리나 틀 안에는 작은 도형 하나만 들어갑니다.
scene-placeless = “{ $part }”에 위치가 없습니다. at 뒤에 행과 열을 쓰세요.
scene-word = “{ $word }”{ JOSA($word, "은/는") } 도형을 나타내는 단어가 아닙니다. 사용할 수 있는 단어: { $known }
scene-twice = “{ $first }”{ JOSA($first, "과/와") } “{ $second }”{ JOSA($second, "이/가") } 한 도형에 함께 적혀 있습니다. 둘 중 하나만 쓰세요.
scene-no-shape = “{ $part }”에 모양이 없습니다. 사용할 수 있는 모양: { $known }
scene-no-colour = “{ $part }”에 색이 없습니다. 사용할 수 있는 색: { $known }
scene-place = “{ $part }”에는 1부터 { $most }까지의 행과 열이 필요합니다.
scene-hint = “large red circle at 1 2; small striped blue star at 3 4”처럼 쓰거나 이미지 캡셔닝 페이지에서 도형을 놓아 보세요.

# 그리기

captions_tool = 클릭 동작
captions_tool-help = 그림을 클릭했을 때의 동작입니다. 어떤 동작에서도 도형을 끌어서 옮길 수 있습니다. “이동”에서는 처음 클릭하면 도형을 집고 다시 클릭하면 놓습니다. 키보드에서는 Tab으로 자리를 고르고 Enter를 누릅니다.
captions_tool-place = 놓기
captions_tool-move = 이동
captions_tool-remove = 삭제
captions_tool-cover = 가리기
captions_size = 크기
captions_pattern = 무늬
captions_pattern-help = 고리와 틀에는 무늬가 없습니다.
captions_colour = 색
captions_shape = 모양
captions-word-small = 작은
captions-word-large = 큰
captions-word-plain = 무늬 없음
captions-word-striped = 줄무늬
captions-word-dotted = 점무늬
captions-word-red = 빨간색
captions-word-blue = 파란색
captions-word-green = 초록색
captions-word-yellow = 노란색
captions-word-purple = 보라색
captions-word-orange = 주황색
captions-word-circle = 원
captions-word-square = 정사각형
captions-word-triangle = 삼각형
captions-word-diamond = 마름모
captions-word-cross = 십자
captions-word-star = 별
captions-word-ring = 고리
captions-word-frame = 틀
captions-thing-plain = { $size } { $colour } { $shape }
captions-thing-patterned = { $size } { $pattern } { $colour } { $shape }
captions_draw_usual = 무작위 장면 만들기
captions_draw_usual-help = 학습 장면과 같은 방식으로 도형 2–5개를 무작위로 놓습니다.
captions_draw_held_out = 학습에 없던 장면 만들기
captions_draw_held_out-help = 학습에 없던 색·모양 조합의 도형이 들어간 장면을 무작위로 만듭니다.
captions_clear = 장면 비우기
captions-place-filled = { $row }행 { $column }열: { $things }
captions-place-free = { $row }행 { $column }열: 빈자리
captions-place-covered = { $row }행 { $column }열: 가려짐
captions-places = 그림의 자리
captions-words = 캡션의 단어
captions-title = “{ $word }” 생성 중 · 밝을수록 큰 값: { measured }
captions-picture-alt = 도형 { $n }개가 있는 그림: { $things }.
captions-refused-taken = { $row }행 { $column }열에 이미 도형이 있습니다. 큰 고리나 틀 안에는 작은 도형만 들어갑니다.
captions-refused-many = 도형은 { $most }개까지 놓을 수 있습니다. 먼저 하나를 삭제하세요.
captions-empty = 장면이 비어 있습니다. 아래에서 도형을 고른 뒤 그림의 자리를 클릭하세요.

# 캡션과 이미지 어텐션

captions-held-out = 학습에 없던 조합
captions-held-out-things = { $n ->
   *[other] 학습에서는 이 모양에 이 색이 나온 적이 없습니다: { $things }.
 }
captions-unusual = 이 장면에는 도형 { $n }개{ $covered ->
    [0] 가
   *[other] 와 가려진 자리 { $covered }곳이
 } 있습니다. 학습 장면에는 도형이 { $least }–{ $most }개 있었고 가려진 자리는 없었습니다.
captions_beside = 비교 모델
captions_beside-help = 다른 모델이 같은 장면을 보고 생성한 캡션입니다.
captions_beside-none = 없음
captions-exact = 캡션이 모두 맞습니다.
captions-no-grammar = 학습에 쓴 캡션 문법에 맞지 않는 문장입니다.
captions-no-language = 이 언어의 캡션 문법이 없어 정답 여부를 확인하지 않습니다. 문법이 있는 언어: { $languages }
captions-wrong = 틀린 부분: { $wrong }.
captions-wrong-part = { $part } “{ $word }”
captions-wrong-relation = 도형 사이의 관계
captions-wrong-count = 도형의 수
captions-wrong-same = 같은 도형을 두 번 설명함
captions-missing-pattern = { $noun }의 무늬가 빠짐
captions-part-noun = 모양
captions-part-colour = 색
captions-part-size = 크기
captions-part-pattern = 무늬
captions-score = 도형을 나타내는 단어에서(포인팅 게임) 상자 안의 { measured-mass }{ JOSA(measured-mass, "은/는") } 평균 { PERCENT($share, digits: 0) }입니다(균등: { PERCENT($even, digits: 0) }).
captions-score-none = 장면의 도형을 나타내는 단어가 없어 포인팅 게임을 적용할 수 없습니다.
captions-moved = 도형을 나타내는 단어에서 다음 도형 단어로 넘어갈 때 { measured-mass }의 { PERCENT($moved, digits: 0) }{ JOSA(PERCENT($moved, digits: 0), "이/가") } 이동합니다.
captions-idle = 단어에 마우스를 올리면 그 단어를 생성할 때의 { measured-all }{ JOSA(measured-all, "이/가") } 나타나고, 클릭하면 고정됩니다. 단어 아래의 수는 해당 도형이 받은 { measured-mass }의 비율입니다.
captions-found = **{ $text }** { $truth } { $verdict }
captions-input = 입력의 “at 2 1”은 4×4칸에서 2행 1열입니다.
captions-verdict = 단어 { $n }개 중 **{ $hits }개**에서 가장 큰 { measured }{ JOSA(measured, "이/가") } 그 도형 위에 있습니다.
captions-note = “{ $word }”{ JOSA($word, "을/를") } 생성할 때 { measured-mass }의 { PERCENT($share, digits: 0) }{ JOSA(PERCENT($share, digits: 0), "이/가") } 빨간 상자({ $thing })에 닿는 점선 칸에 있습니다. 균등한 맵이라면 { PERCENT($even, digits: 0) }입니다. { $hit ->
    [yes] 가장 큰 { measured }도 거기 있습니다.
    [other] 가장 큰 { measured }{ JOSA(measured, "은/는") } 다른 도형에 있습니다.
   *[no] 가장 큰 { measured }{ JOSA(measured, "은/는") } 어느 도형에도 있지 않습니다.
 }
captions-note-free = “{ $word }”에 해당하는 도형이 하나로 정해지지 않아 정답 위치가 없습니다. 가장 큰 { measured } 값은 { PERCENT($most, digits: 0) }입니다.
captions-no-values-hard = 하드 어텐션은 가중치가 가장 큰 어노테이션(annotation) 벡터 하나를 그대로 넘기므로, 가중치를 곱해 더하는 벡터가 없습니다.
captions-no-values-mean = 이 모델은 가중치와 상관없이 모든 어노테이션(annotation) 벡터의 평균을 넘깁니다.
captions-sum = 모든 단어의 합
captions-gaze-name = 이미지 어텐션{ $measure ->
    [weight] {""}
   *[other] , { measured }
 } “{ $text }”
captions-note-sum = { $steps }스텝의 { measured-all }{ JOSA(measured-all, "을/를") } 모두 더한 값입니다. 칸마다 { $least }–{ $most }, 평균 { FIXED($mean, digits: 3) }입니다.{ $measure ->
    [weight] {" "}학습할 때 이중 확률(doubly stochastic) 페널티가 이 합을 1에 가깝게 만듭니다.
   *[other] {""}
 }

# 다른 모델

captions_model = 모델
