# Identities of the open model, under "About this model".

checks = Numerical checks
checks-help = Identities that the numbers of this model must obey, and how far they are off.
checks-again = Check again
checks-again-help = Computes every identity of the selected model again, on the machine that runs the app.
checks-stop = Stop
checks-working = Checking the identities…
checks-found = { $false ->
    [0] All **{ $n }** identities hold{ $now ->
        [yes] {" "}on this machine
       *[no] {""}
     }. The largest difference is **{ $difference }** (tolerance { $most }).
   *[other] **{ $false }** { $false ->
        [one] identity does
       *[other] identities do
     } not hold{ $now ->
        [yes] {" "}on this machine
       *[no] {""}
     }. The largest difference is **{ $difference }** (tolerance { $most }).
 }
checks-identity = Identity
checks-difference = Largest difference
checks-now = Now
checks-no-number = no number
checks-caption = Largest difference between two ways to the same number on short texts; for numbers above 1 it is divided by the largest of them. All models stand in `docs/checks.md`.
