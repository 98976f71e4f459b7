# "모델 정보"에 표시하는 선택한 모델의 등식.

checks = 수치 검증
checks-help = 이 모델의 수치에서 성립해야 하는 등식과 실제 차이를 보여 줍니다.
checks-again = 다시 검증
checks-again-help = 선택한 모델의 등식을 앱이 실행되는 컴퓨터에서 모두 다시 계산합니다.
checks-stop = 중지
checks-working = 등식을 검증하는 중…
checks-found = { $false ->
    [0] { $now ->
        [yes] 이 컴퓨터에서{" "}
       *[no] {""}
     }등식 **{ $n }**개가 모두 성립합니다. 가장 큰 차이는 **{ $difference }**입니다(허용 오차 { $most }).
   *[other] { $now ->
        [yes] 이 컴퓨터에서{" "}
       *[no] {""}
     }등식 **{ $n }개** 중 **{ $false }개가** 성립하지 않습니다. 가장 큰 차이는 **{ $difference }**입니다(허용 오차 { $most }).
 }
checks-identity = 등식
checks-difference = 최대 차이
checks-now = 현재
checks-no-number = 값 없음
checks-caption = 짧은 텍스트에서 같은 수를 두 가지 방법으로 계산한 결과의 최대 차이입니다. 1보다 큰 수에서는 그중 가장 큰 값으로 나눕니다. float32의 반올림은 약 10⁻⁶의 차이를 만들고, 버그가 있으면 차이가 훨씬 커집니다. 모든 모델의 값은 `docs/checks.md`에 있습니다.
