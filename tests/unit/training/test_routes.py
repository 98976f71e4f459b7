"""The bottleneck and the exchange: what the decoder sees, and what counts."""

from types import SimpleNamespace

import pytest
import torch

from support.models import ROOT, make_model, read_json
from training.batching import encode_pairs, make_batch
from training.coreference import canonical_pairs, generate_training
from training.corpus import Pair
from training.objective import Objective, translation_losses
from training.routes import (
    RouteShares,
    draw_routes,
    exchange_memory,
    hide_all_but_nouns,
    it_alone_looks,
    rows_to_hide,
    shares_at,
    what_counts,
)


@pytest.fixture(scope="module")
def links():
    return generate_training(60, seed=0, two_nouns=0.7)


@pytest.fixture(scope="module")
def batch(links, tiny_tokenizer):
    pairs = [Pair(link.source, link.target, link) for link in links]
    return make_batch(encode_pairs(pairs, tiny_tokenizer, 200), pad_id=0, bos_id=2)


@pytest.fixture(scope="module")
def model(tiny_tokenizer):
    sizes = {"vocab_size": tiny_tokenizer.vocab_size, "n_heads": 2, "max_len": 220}
    return make_model(**sizes, dropout=0.0)


def losses_of(model, batch, **objective):
    with torch.no_grad():
        return translation_losses(model, batch, Objective(**objective), bf16=False)


def nll_of(model, batch, shares):
    _, nll, count = losses_of(model, batch, shares=shares)
    return float(nll), count


# -- decisions, and sentences of which only the nouns are seen -----------------------------


def test_a_weighted_decision_adds_its_loss_that_many_times(model, batch):
    plain, nll, count = losses_of(model, batch)
    weighed, weighed_nll, _ = losses_of(model, batch, decision_weight=5.0)
    with torch.no_grad():
        log_probs = model(batch.src, batch.tgt_in).log_softmax(-1)
    pronouns = -log_probs.gather(2, batch.tgt_out[..., None])[..., 0][batch.decisions].sum()
    assert batch.decisions.any()
    assert count == batch.n_tokens
    torch.testing.assert_close(weighed, plain + 4 * pronouns)
    torch.testing.assert_close(weighed_nll, nll)


def test_with_all_but_the_nouns_hidden_only_the_pronouns_count(model, batch):
    """Two nouns are read by a decoder whose memory holds nothing else; of one, all is seen."""
    _, nll, count = losses_of(model, batch, nouns_only=(1.0, 0.0))
    nouns, expected, counted = dict(batch.nouns), 0.0, 0
    padding = model.source_padding(batch.src)
    with torch.no_grad():
        memory = model.encode(batch.src, padding)
        for row in range(len(batch.src)):
            seen = list(nouns[row]) if row in nouns else slice(int((~padding[row]).sum()))
            logits = model.decode(batch.tgt_in[[row]], memory[[row]][:, seen], None)
            log_probs = logits.log_softmax(-1)[0].gather(1, batch.tgt_out[row, :, None])[:, 0]
            counts = batch.decisions[row] if row in nouns else batch.tgt_out[row] != 0
            expected, counted = expected - float(log_probs[counts].sum()), counted + counts.sum()
    assert 0 < len(nouns) < len(batch.src)
    assert count == counted
    assert float(nll) == pytest.approx(expected, rel=1e-4)


def test_other_tokens_stay_visible_with_the_chance_asked_for(tiny_tokenizer):
    pairs = [Pair(link.source, link.target, link) for link in canonical_pairs() * 200]
    batch = make_batch(encode_pairs(pairs, tiny_tokenizer, 200), pad_id=0, bos_id=2)
    rows = [row for row, _ in batch.nouns[::2]]
    hidden = hide_all_but_nouns(batch, None, rows, 0.25)
    nouns = dict(batch.nouns)
    others = [i for i in range(batch.src.shape[1]) if i not in nouns[rows[0]]]
    assert 0.2 < float((~hidden[rows][:, others]).float().mean()) < 0.3
    assert not hidden[rows][:, list(nouns[rows[0]])].any()
    assert not hidden[[row for row, _ in batch.nouns[1::2]]].any()


def test_the_share_of_hidden_sentences_is_about_what_was_asked():
    batch = SimpleNamespace(nouns=tuple((row, (1, 2)) for row in range(2000)))
    assert 0.25 < len(rows_to_hide(batch, 0.3)) / 2000 < 0.35
    assert rows_to_hide(batch, 0.0) == []


# -- the bottleneck and the exchange -------------------------------------------------------


def test_the_other_reading_means_the_other_noun(links):
    for link in (link for link in links if link.n_nouns == 2):
        assert link.other_reading != link.source
        assert link.other_reading[slice(*link.other_pronoun)].lower() == "it"


def test_an_example_keeps_the_other_reading_when_it_lines_up(batch):
    aligned = [example for _, example in batch.routes if example.other]
    assert len(aligned) >= 3
    for example in aligned:
        assert len(example.other) == len(example.src)
        assert [example.other[i] for i in example.query] == [example.src[i] for i in example.query]


def test_the_bottleneck_leaves_nothing_but_it_to_read(model, batch):
    nll, count = nll_of(model, batch, RouteShares(it_only=1.0, one_noun=1.0))
    expected, pronouns = 0.0, 0
    with torch.no_grad():
        for row, example in batch.routes:
            src = torch.tensor([example.src])
            memory = model.encode(src)[:, list(example.query)]
            before = [1] * len(example.tgt[:-1])  # <unk> in the place of the German prefix
            log_probs = model.decode(torch.tensor([[2, *before]]), memory).log_softmax(-1)[0]
            for i in example.pronoun:
                expected -= float(log_probs[i, batch.tgt_out[row, i]])
                pronouns += 1
    assert count == pronouns
    assert nll == pytest.approx(expected, rel=1e-4)


def test_the_exchange_takes_all_but_it_from_the_other_reading(model, batch):
    """What counts in exchanged rows: with the exchange, less everything in the rows without one."""
    nll, count = nll_of(model, batch, RouteShares(exchange=1.0))
    exchanged = {row for row, example in batch.routes if example.other}
    rest = [row for row in range(len(batch.src)) if row not in exchanged]
    expected, swapped, counted = [], [], 0
    with torch.no_grad():
        plain = model(batch.src[rest], batch.tgt_in[rest]).double().log_softmax(-1)
        real = batch.tgt_out[rest] != 0
        nll += float(plain.gather(2, batch.tgt_out[rest, :, None])[..., 0][real].sum())
        for _, example in batch.routes:
            if not example.other:
                continue
            own, other = (model.encode(torch.tensor([ids])) for ids in (example.src, example.other))
            at_it = list(example.query)
            for base, taken, into in ((other, own, expected), (own, other, swapped)):
                memory = base.clone()
                memory[:, at_it] = taken[:, at_it]
                tgt_in = torch.tensor([[2, *example.tgt[:-1]]])
                log_probs = model.decode(tgt_in, memory).double().log_softmax(-1)[0]
                into.append(-sum(float(log_probs[i, example.tgt[i]]) for i in example.pronoun))
            counted += len(example.pronoun)
    assert count == counted + int(real.sum())
    assert abs(sum(swapped) - sum(expected)) > 0.1
    assert nll == pytest.approx(sum(expected), abs=0.02)


def test_exchanged_rows_keep_their_own_memory_at_it_alone(batch):
    routes = draw_routes(batch, RouteShares(exchange=1.0))
    torch.manual_seed(3)
    own = torch.randn(*batch.src.shape, 4)
    lent = torch.randn(len(routes.exchange), batch.src.shape[1], 4)
    mixed = exchange_memory(own, lent, routes)
    examples = dict(batch.routes)
    assert routes.exchange
    for row in range(len(own)):
        if row not in routes.exchange:
            torch.testing.assert_close(mixed[row], own[row], rtol=0, atol=0)
            continue
        of_other = lent[routes.exchange.index(row)]
        for i in range(own.shape[1]):
            expected = own[row, i] if i in examples[row].query else of_other[i]
            torch.testing.assert_close(mixed[row, i], expected, rtol=0, atol=0)


def test_pronouns_elsewhere_count_only_when_asked(model, batch):
    _, everything = nll_of(model, batch, RouteShares())
    _, fewer = nll_of(model, batch, RouteShares(elsewhere=0.0))
    assert everything == batch.n_tokens
    assert everything - fewer == int(batch.decisions.sum())


def test_half_of_the_sentences_are_drawn_when_half_are_asked_for(batch):
    torch.manual_seed(1)
    drawn = [draw_routes(batch, RouteShares(it_only=0.5)) for _ in range(40)]
    share = sum(len(routes.it_only) for routes in drawn) / 40 / int(batch.decisions.any(1).sum())
    assert 0.4 < share < 0.6


def test_the_german_prefix_is_kept_with_the_chance_asked_for(model, batch):
    hidden, _ = nll_of(model, batch, RouteShares(it_only=1.0))
    seen, _ = nll_of(model, batch, RouteShares(it_only=1.0, prefix_kept=1.0))
    assert hidden != pytest.approx(seen, rel=1e-4)


def test_shares_start_at_their_named_step():
    entries = [{"from_step": 5, "it_only": 0.6}, {"from_step": 9, "exchange": 0.7}]
    assert [shares_at(step, entries) for step in (4, 5, 8, 9)] == [
        None,
        RouteShares(it_only=0.6),
        RouteShares(it_only=0.6),
        RouteShares(exchange=0.7),
    ]


@pytest.mark.parametrize(
    ("variant", "parts"),
    [
        ("no-exchange", {"exchange"}),
        ("shuffled", {"shuffled"}),
        ("said", {"said", "it_only"}),
        ("no-bottleneck", {"it_only", "one_noun", "exchange", "elsewhere", "prefix_kept"}),
    ],
)
def test_the_controls_differ_in_what_the_page_on_it_says(variant, parts):
    config = read_json(ROOT / "training" / "configs" / "en-de-controls.json")
    entries = {
        name: (config["training"] | settings.get("training", {}))["routes"]
        for name, settings in config["variants"].items()
    }
    differ = set()
    for step in (20, 300, 420):
        ours, both = (shares_at(step, entries[name]) for name in (variant, "both"))
        differ |= {key for key, value in vars(both).items() if vars(ours)[key] != value}
    assert differ == parts
    told = (ROOT / "docs" / "it.md").read_text()
    assert (f"`{variant}`*" in told) == (len(parts) > 1)


def test_shuffled_readings_are_those_of_another_sentence(batch):
    plain = draw_routes(batch, RouteShares(exchange=1.0))
    shuffled = draw_routes(batch, RouteShares(exchange=1.0, shuffled=True))
    assert shuffled.exchange == plain.exchange
    width = plain.others.shape[1]
    for i, row in enumerate(plain.exchange):
        lender = dict(batch.routes)[plain.exchange[(i + 1) % len(plain.exchange)]].other[:width]
        assert shuffled.others[i, : len(lender)].tolist() == list(lender)
        assert shuffled.others[i].tolist() != plain.others[i].tolist() or row == lender


def test_what_is_said_of_it_counts_under_the_bottleneck_where_asked(batch, tiny_tokenizer):
    shares = RouteShares(it_only=1.0, said=1.0)
    routes = draw_routes(batch, shares)
    counted = what_counts(batch.tgt_out != 0, routes, shares.elsewhere)
    rows = [(row, example) for row, example in batch.routes if example.other and example.decision]
    assert rows
    for row, example in rows:
        assert counted[row].nonzero().flatten().tolist() == sorted(
            {*example.pronoun, *example.said}
        )
        assert 1 <= min(example.said) - max(example.pronoun) <= 2  # a blank may be a piece
        words = tiny_tokenizer.decode([example.tgt[i] for i in example.said]).text
        assert not set(words) & set(",.;")
    plain = draw_routes(batch, RouteShares(it_only=1.0))
    assert not plain.said.any()
    assert not draw_routes(batch, RouteShares(exchange=1.0, said=1.0)).said.any()


def test_it_alone_looks_at_other_tokens_where_asked(model, batch):
    routes = draw_routes(batch, RouteShares(it_only=1.0, one_noun=1.0, alone=1.0))
    assert routes.alone == routes.it_only
    n_rows, n_src = batch.src.shape
    padding = model.source_padding(batch.src)
    looks = it_alone_looks(routes, padding, n_rows + 2)
    assert looks[n_rows:].all()
    for row, example in batch.routes:
        for query in range(n_src):
            sees_all = query in example.query or query >= len(example.src)
            expected = [sees_all or key == query for key in range(n_src)]
            assert looks[row, query].tolist() == expected
    # What "it" gathers then depends on nothing that another token has gathered.
    row, example = batch.routes[0]
    with torch.no_grad():
        memory = model.encode(batch.src, padding, may_look=looks[:n_rows])
        other = 1 if 1 not in example.query else 0
        single = model.embed(batch.src)[row : row + 1, other : other + 1]
        for layer in model.encoder_layers:
            single = layer(single, None)
    torch.testing.assert_close(memory[row, other], single[0, 0], rtol=1e-4, atol=1e-5)
    assert memory.isfinite().all()
    assert it_alone_looks(draw_routes(batch, RouteShares(it_only=1.0)), padding, n_rows) is None
