# Identities of the open model, under "About this model".

checks = Numerical checks
checks-help = Identities that the numbers of this model must satisfy, and the largest error of each.
checks-again = Check again
checks-again-help = Recomputes every identity of the selected model on the machine that runs the app.
checks-stop = Stop
checks-working = Checking identities…
checks-found = { $false ->
    [0] All **{ $n }** identities hold{ $now ->
        [yes] {" "}on this machine
       *[no] {""}
     }. The largest difference is **{ $difference }** (tolerance { $most }).
   *[other] **{ $false } of { $n }** { $n ->
        [one] identity does
       *[other] identities do
     } not hold{ $now ->
        [yes] {" "}on this machine
       *[no] {""}
     }. The largest difference is **{ $difference }**.
 }
checks-identity = Identity
checks-difference = Largest difference
checks-now = Now
checks-no-number = no number
checks-caption = Each number is computed a second, slower way on short texts. Numbers above 1 are compared relative to the largest. Rounding in float32 causes differences of about 10⁻⁶; a bug causes far larger ones. All models are listed in `docs/checks.md`.
