# 캡션 페이지: 그림을 말로 옮기는 동안 모델이 어디를 보는지.

page-captions = 캡션
heading-captions = { $app }: 캡션
view-captions = 캡션 보기
view-captions-gaze = 장면과 시선
view-captions-measured = 측정값
need-scene = 장면의 어디를 보는지 여기서는 보여 줄 수 없습니다.
language-scene = 장면
example-scene = 장면
example-scene-new = 처음 보는 장면
family-captioner = 그림을 말로 옮기는 모델
system-captions-soft = Xu 2015 · 소프트
system-captions-soft-ko = Xu 2015 · 소프트, 한국어
system-captions-hard = Xu 2015 · 하드
system-captions-mean = Xu 2015 · 시선 무시
site-gaze = 시선
site-gaze-attention = 그림에 대한 어텐션
site-gaze-short = 시선
site-gaze-name = 시선

# 글로 쓴 장면

scene-empty = 그림이 비어 있습니다.
scene-many = 그림에 도형이 { $n }개 있습니다. { $most }개까지 놓을 수 있습니다.
scene-crowded = { $row }행 { $column }열에 도형이 둘 이상 있습니다. 큰 고리나 틀 안에는 작은 도형 하나만 들어갑니다.
scene-placeless = “{ $part }”에 자리가 없습니다. at 뒤에 행과 열을 쓰세요.
scene-word = “{ $word }”{ JOSA($word, "은/는") } 도형을 나타내는 단어가 아닙니다. 쓸 수 있는 단어: { $known }
scene-twice = 한 도형에 “{ $first }”{ JOSA($first, "과/와") } “{ $second }”{ JOSA($second, "이/가") } 함께 적혀 있습니다.
scene-no-shape = “{ $part }”에 모양이 없습니다. 쓸 수 있는 모양: { $known }
scene-no-colour = “{ $part }”에 색이 없습니다. 쓸 수 있는 색: { $known }
scene-place = “{ $part }”에는 1부터 { $most }까지의 행과 열이 필요합니다.
scene-hint = “large red circle at 1 2; small striped blue star at 3 4”처럼 쓰거나 캡션 페이지에서 도형을 놓아 보세요.

# 그리기

captions-tool = 누르면
captions-tool-help = 그림을 눌렀을 때 하는 일입니다. 어떤 도구에서도 도형을 끌어 옮길 수 있습니다. 옮기기에서는 처음 누르면 도형을 집고 다시 누르면 놓습니다. 키보드로는 Tab으로 자리를 고르고 Enter를 누릅니다.
captions-tool-place = 놓기
captions-tool-move = 옮기기
captions-tool-remove = 지우기
captions-tool-cover = 가리기
captions-size = 크기
captions-pattern = 무늬
captions-pattern-help = 고리와 틀에는 무늬가 없습니다.
captions-colour = 색
captions-shape = 모양
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
captions-draw-usual = 장면 뽑기
captions-draw-usual-help = 학습에 나온 것과 같은 종류의 장면입니다. 도형은 2개에서 5개입니다.
captions-draw-held_out = 처음 보는 장면 뽑기
captions-draw-held_out-help = 학습에서 그 모양에 한 번도 나오지 않은 색의 도형이 들어갑니다.
captions-clear = 비우기
captions-place-filled = { $row }행 { $column }열: { $things }
captions-place-free = { $row }행 { $column }열: 빈자리
captions-place-covered = { $row }행 { $column }열: 가려짐
captions-places = 그림의 자리
captions-words = 캡션의 단어
captions-picture-alt = 도형 { $n }개가 있는 그림: { $things }.
captions-refused-taken = { $row }행 { $column }열에 다른 도형이 있습니다. 큰 고리나 틀 안에는 작은 도형만 들어갑니다.
captions-refused-many = 도형은 { $most }개까지 놓을 수 있습니다. 먼저 하나를 지우세요.
captions-empty = 아직 아무것도 없습니다. 위에서 도형을 고르고 그림의 자리를 누르세요.

# 캡션과 시선

captions-held-out = 처음 봄
captions-held-out-things = { $n ->
   *[other] 학습에서 이 모양에 이 색이 나온 적이 없습니다: { $things }.
 }
captions-unusual = 학습 장면에는 도형이 { $least }개에서 { $most }개 있었고 가려진 자리가 없었습니다. 여기에는 도형 { $n }개{ $covered ->
    [0] 가 있습니다.
   *[other] 와 가려진 자리 { $covered }곳이 있습니다.
 }
captions-beside = 나란히 볼 모델
captions-beside-help = 같은 장면을 다른 모델이 말로 옮긴 결과입니다.
captions-beside-none = 없음
captions-exact = 모두 맞는 말입니다.
captions-no-grammar = 학습한 문법에 없는 문장입니다.
captions-no-language = 이 언어의 캡션 문법이 없어서 맞고 틀림을 가리지 않습니다. 문법이 있는 언어: { $languages }
captions-wrong = 틀린 말: { $wrong }.
captions-wrong-part = { $part } “{ $word }”
captions-wrong-relation = 도형 사이의 관계
captions-wrong-count = 도형의 수
captions-wrong-same = 한 도형을 두 번 말함
captions-missing-pattern = { $noun }의 무늬를 말하지 않음
captions-part-noun = 모양
captions-part-colour = 색
captions-part-size = 크기
captions-part-pattern = 무늬
captions-score = 도형을 말하는 단어 { $n }개 가운데 { $hits }개에서 가장 큰 가중치가 그 도형에 있습니다. 그 도형에 놓인 가중치: { $share }(균등하게 보면 { $even })
captions-score-none = 실제로 있는 도형을 말하는 단어가 없어서 시선을 채점할 수 없습니다.
captions-moved = 단어가 바뀔 때 옮겨 가는 가중치: { $moved }
captions-idle = 단어를 가리키면 그 단어를 쓰는 동안 모델이 본 곳이 나타나고, 누르면 고정됩니다. 단어 아래의 수는 그 단어가 말하는 도형에 놓인 시선의 비율입니다.
captions-note = “{ $word }”{ JOSA($word, "을/를") } 쓰는 동안 빨간 상자({ $thing }) 안에 있는 가중치는 { $share }입니다(균등하게 보면 { $even }). { $hit ->
    [yes] 가장 큰 가중치({ $most })도 거기에 있습니다.
    [other] 가장 큰 가중치({ $most })는 다른 도형에 있습니다.
   *[no] 가장 큰 가중치({ $most })는 그 옆에 있습니다.
 }
captions-note-free = “{ $word }”에 해당하는 도형이 하나로 정해지지 않아서 보아야 할 곳도 정해져 있지 않습니다. 가장 큰 가중치: { $most }
captions-sum = Σ
captions-gaze-name = 시선, “{ $text }”
captions-note-sum = { $steps }스텝의 가중치를 모두 더한 값입니다. 한 칸은 { $least }에서 { $most }까지, 평균 { $mean }입니다. 학습의 이중 확률(doubly stochastic) 페널티는 모든 칸을 1 쪽으로 당깁니다.

# 다른 모델과 수치

captions-model = 모델
captions-kind = 장면
captions-kind-seen = 학습과 같은 장면
captions-kind-held_out = 처음 보는 도형이 있는 장면
captions-how = 시선을 잰 때
captions-how-read = 맞는 캡션을 읽을 때
captions-how-own = 직접 쓸 때
captions-measured-true = 캡션에서 맞는 것
captions-measured-true-alt = 모델 { $n }개의 캡션, 도형, 그 부분이 맞은 비율.
captions-measured-gaze = 말하는 것을 보고 있을까?
captions-measured-gaze-alt = { $n }행. 단어가 말하는 도형에 가장 큰 가중치가 놓인 비율.
captions-even-row = 균등한 시선
captions-random-row = 아무 도형이나 보는 시선
captions-first-row = 늘 첫 도형만 보는 시선
captions-measured-about = 학습에 쓰지 않은 생성 장면 { $scenes }개, 빔 너비 { $beam }. 괄호 안은 95% 구간(Wilson)입니다. 가장 큰 가중치가 도형의 상자에 닿는 칸에 있으면 맞은 것으로 봅니다. “도형 위”는 그 칸들에 놓인 가중치의 비율입니다. 마지막 세 행은 단어를 모르는 시선입니다. 모든 칸을 균등하게 보는 시선, 장면의 도형 가운데 아무것이나 그 한가운데를 보는 시선, 캡션이 말하는 순서로 첫 도형의 한가운데만 보는 시선입니다. 가장 나은 칸 하나만 계속 보는 시선이 맞는 비율: { $still }
captions-commands = 명령
captions-column-system = 모델
captions-column-caption = 캡션 전체
captions-column-thing = 도형
captions-column-noun = 모양
captions-column-colour = 색
captions-column-size = 크기
captions-column-pattern = 무늬
captions-column-relation = 관계
captions-column-bleu = BLEU
captions-column-mass = 도형 위
captions-column-movement = 이동
captions-column-cells = 퍼진 칸 수
