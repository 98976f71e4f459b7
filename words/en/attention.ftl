# The attention page.

attention-together = All heads together
attention-together-mean = Mean
attention-together-max = Largest
attention-together-spread = Spread
attention-together-rollout = Rollout
attention-together-flow = Flow
