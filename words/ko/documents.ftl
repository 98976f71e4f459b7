# 문서 페이지: 문장으로 문서를, 단어로 문장을 판단합니다.

page-documents = 문서
heading-documents = { $app }: 문서

view-documents = 문서 보기
view-documents-read = 읽기
view-documents-agree = 맵이 이유를 말해 줄까?
view-documents-other = 다른 맵
view-documents-measured = 측정 결과

site-words = 문장의 단어
site-words-attention = 단어 어텐션
site-words-short = 단어
site-words-name = 단어
site-sentences = 문장
site-sentences-attention = 문장 어텐션
site-sentences-short = 문장
site-sentences-name = 문장
family-hierarchical-attention = 계층적 어텐션
system-documents-han = Yang 2016 · 계층적 어텐션
system-documents-uniform = Yang 2016 · 모두 같은 가중치
system-documents-no-mixing = Yang 2016 · 단어마다 따로
set-polarity = 사람이 쓴 리뷰
set-reviews = 생성한 리뷰

# 모델과 문서.

documents-none = 문서를 판단하는 체크포인트가 설치되어 있지 않습니다. 다음 두 명령으로 하나를 학습하고 설치합니다:
documents-model = 모델
documents-example = 예문
documents-example-others = 다른 사람들의 생각
documents-example-negated = 결코 우스꽝스럽지 않은
documents-example-expected = 기대와 다른
documents-example-verb = 두 의견 사이
documents-example-not = 감흥이 없는
documents-example-late = 시작보다 끝이 나은
documents-example-pretty = 예쁘지만 속은 빈
documents-example-mixed = 이도 저도 아닌
documents-box = 영어 영화 리뷰
documents-box-help = 아무 글이나 붙여 넣으세요. 마침표, 물음표, 느낌표나 줄바꿈에서 문장이 끝납니다.
documents-box-none = 리뷰를 붙여 넣거나 예문을 고르세요
documents-still = 계속 보여 주는 글: { $text }
documents-unknown = 단어 { $of }개 가운데 { $n }개({ $share })가 이 모델의 어휘에 없습니다. 영어 영화 리뷰로 배운 모델이라 이런 단어를 모두 똑같은 미등록 토큰으로 읽으므로 판단에 큰 의미가 없습니다.
documents-short = 읽을 것이 거의 없습니다. 한두 단어뿐이어도 리뷰로 여기고 판단합니다.
documents-text = 문장별로 본 문서

# 결정, 그리고 바꾼 것.

documents-weights = 가중치
documents-weights-own = 모델 그대로
documents-weights-uniform = 모두 같게
documents-weights-shuffled = 뒤섞어
documents-weights-help = 두 층위의 가중치를 바꾸고 모델의 나머지는 그대로 둡니다.
documents-how = 뺀 것
documents-how-unread = 읽지 않음
documents-how-unseen = 가중치 없음
documents-how-help = 읽지 않으면 처음부터 없던 것과 같습니다. 가중치만 없애면 읽기는 하므로 이웃 벡터에는 그 내용이 남습니다.
documents-another = 다시 뒤섞기
documents-put-back = 모두 되돌리기
documents-truth = 생성한 리뷰라서 판단을 정하는 것이 무엇인지 알 수 있으며, 선으로 표시했습니다. 정답은 “{ $label }”입니다.
documents-class-pos = 호평
documents-class-neg = 혹평
documents-moved = { $points }%p
documents-judged = 이 리뷰의 판단: **{ $label }**.
documents-turned = 결정이 바뀝니다: 지금은 **{ $label }**, 전에는 { $before }.
documents-stays = 결정이 그대로입니다: **{ $label }**.
documents-sentence-told = { $n }번째 문장: 문서 안의 가중치 { $weight }.
documents-sentence-out = { $n }번째 문장은 읽지 않았습니다.
documents-word-told = “{ $word }”: 문장 안의 가중치 { $weight }, 그 문장의 가중치 { $sentence }. 색의 짙기는 √{ $sentence } · { $weight } = { $shown }.
documents-word-out = “{ $word }”: 읽지 않았습니다.
documents-word-unknown = 어휘에 없는 단어입니다.
documents-point = 단어나 문장 번호를 가리키면 가중치가 나옵니다.
documents-point-clicks = 단어나 문장 번호를 가리키면 가중치가 나오고, 누르면 빠집니다.

# 빼 보기, 기울기, 다른 맵.

documents-leaving-out = 단어를 하나씩 빼고 읽는 중…
documents-seeking = 다른 맵을 찾는 중…
documents-level = 층위
documents-level-sentences = 문장
documents-level-words = 단어
documents-agree-long = 단어 { $n }개는 하나씩 빼 보기에 너무 많습니다. { $most }개까지 할 수 있습니다.
documents-agree-one = 문장이나 단어가 하나뿐이라 비교할 것이 없습니다.
documents-agree-most-sentences = 문장 { $of }개 가운데 가중치가 가장 큰 { $n }개입니다. 아래 숫자는 전체에서 구한 것입니다.
documents-agree-most-words = 단어 { $of }개 가운데 가중치가 가장 큰 { $n }개입니다. 아래 숫자는 전체에서 구한 것입니다.
documents-agree-alt-sentences = 문장 { $n }개의 어텐션, 감소량, 기울기를 나란히 놓은 그림.
documents-agree-alt-words = 단어 { $n }개의 어텐션, 감소량, 기울기를 나란히 놓은 그림.
documents-agree-file = 판단을 좌우하는 것 { $text }
documents-tau-drops = 어텐션과 빼 보기의 켄달 τ: { $tau }
documents-tau-gradient = 어텐션과 기울기의 켄달 τ: { $tau }
documents-tau-both = 맵을 쓰지 않는 두 척도, 빼 보기와 기울기의 켄달 τ: { $tau }
documents-tau-none = 없음(한쪽이 모두 같음)
documents-tau-mean-polarity = 사람이 쓴 리뷰 { $n }편의 평균: 빼 보기와는 { $drops }, 기울기와는 { $gradient }.
documents-tau-mean-reviews = 생성한 리뷰 { $n }편의 평균: 빼 보기와는 { $drops }, 기울기와는 { $gradient }.
documents-other-found = 오른쪽 맵은 모델의 맵과 **{ $divergence }**나트만큼 다르지만(젠슨-섀넌 발산, 가능한 최댓값 { $most }), 모델의 판단은 거의 같습니다: “{ $label }” { $after }, 모델의 맵으로는 { $before }. 허용한 차이는 { $epsilon }까지입니다.
documents-other-none = 확률을 { $epsilon } 넘게 움직이지 않는 다른 맵을 찾지 못했습니다. 모델의 맵으로는 “{ $label }” { $before }입니다.
documents-map-own = 모델의 맵
documents-map-other = 결정이 같은 다른 맵
documents-other-mean-polarity = 사람이 쓴 리뷰 { $n }편에서 이런 맵은 평균 { $divergence }나트 떨어져 있고, 그 가운데 { $share }에서는 0.4보다 멉니다.
documents-other-mean-reviews = 생성한 리뷰 { $n }편에서 이런 맵은 평균 { $divergence }나트 떨어져 있고, 그 가운데 { $share }에서는 0.4보다 멉니다.

# 측정 결과.

documents-accuracy = 어느 쪽이 더 자주 맞을까?
documents-accuracy-about = 바르게 판단한 문서의 비율과 95% 구간(문서 부트스트랩)입니다. 사람이 쓴 리뷰 2,000편 전체를 10겹으로 교차 검증한 단어 주머니에 대해 다른 곳에서 보고한 수치: { $published }%(노트에서 옮김, 다시 확인하지 않음).
documents-better = { $set }에서는 “{ $first }”{ JOSA($first, "이/가") } “{ $second }”보다 낫습니다. 차이(%p): { $difference }.
documents-worse = { $set }에서는 “{ $first }”{ JOSA($first, "이/가") } “{ $second }”보다 못합니다. 차이(%p): { $difference }.
documents-open = { $set }에서는 “{ $first }”{ JOSA($first, "과/와") } “{ $second }”의 우열을 가릴 수 없습니다. 차이(%p): { $difference }, 구간에 0이 들어 있습니다.
documents-set-polarity = 사람이 쓴 리뷰
documents-set-reviews = 생성한 리뷰
documents-system-han = 계층적 어텐션
documents-system-uniform = 모두 같은 가중치
documents-system-no-mixing = 단어마다 따로
documents-system-bag = 단어 주머니
documents-folds = 단어 주머니, 전체 { $documents }편을 { $n }겹으로
documents-pointing = 맵이 판단을 정하는 곳을 가리킬까?
documents-pointing-about = 생성한 리뷰에서는 판단을 정하는 문장과 단어를 알 수 있습니다. 맵의 가장 큰 가중치가 거기 있으면 맞게 가리킨 것입니다. 어디서나 값이 같은 맵은 우연만큼만 맞으며, 모두 같은 가중치를 쓰는 신경망의 맵도 그래야 합니다.
documents-by-attention = 어텐션
documents-by-drops = 빼 보기
documents-by-gradient = 기울기
documents-by-chance = 우연
documents-outlives = 결정에 이 가중치가 필요할까?
documents-outlives-about = 두 층위의 가중치를 바꿀 때 결정이 그대로인 비율, 확률이 움직인 거리(총변동거리, 0∼1), 새 결정이 맞는 비율입니다.
documents-explains = 맵이 다른 척도와 일치할까?
documents-explains-about = 가중치와 감소량·기울기의 크기 사이의 켄달 τ(−1∼1), 그리고 이 둘 사이의 τ입니다. 그다음은 확률을 그대로 두는 맵이 얼마나 멀리 있을 수 있는지를 나트로 나타냅니다(최대 0.69).
documents-column-system = 시스템
documents-column-polarity = 사람이 쓴 리뷰
documents-column-reviews = 생성한 리뷰
documents-column-by = 가리킨 것
documents-column-sentence = 문장
documents-column-word = 단어
documents-column-word_there = 그 문장 안의 단어
documents-column-set = 리뷰
documents-column-with = 가중치
documents-column-same = 결정 그대로
documents-column-distance = 움직인 거리
documents-column-accuracy = 정확도
documents-column-level = 층위
documents-column-drops = 빼 보기와 τ
documents-column-gradient = 기울기와 τ
documents-column-both = 둘 사이의 τ
documents-column-divergence = 다른 맵(나트)
