"""The load script: answers, errors, and pages of another session."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks import load
from benchmarks.load import Judge, LoadTally, ServerReading, aims, sentences, values
from benchmarks.report import table
from benchmarks.session import Session, WidgetChange, faults

OWN, NEXT, FOREIGN = (5, 3), (6, 7, 3), (9, 3)


def component(key: str, data: dict) -> ForwardMsg:
    """A component as the page draws it."""
    message = ForwardMsg()
    shown = message.delta.new_element.bidi_component
    shown.id, shown.json = f"$$ID-0123456789abcdef-{key}", json.dumps(data)
    return message


def tokens(ids: tuple[int, ...]) -> ForwardMsg:
    """The lines of tokens over the heads."""
    lines = [[{"label": "a", "id": i} for i in side] for side in (ids, (1, 2))]
    sites = [{"name": "encoder", "layers": 2, "heads": 4}]
    return component("heads", {"lines": [{"tokens": line} for line in lines], "sites": sites})


def opened(layer: int, head: int) -> ForwardMsg:
    """Number of the open view that the page reports, from 0."""
    foci = {"encoder": {"layer": layer, "head": head}, "cross": {"layer": 9, "head": 9}}
    told = {"identity": "one", "kind": "encoder", "foci": foci, "badge": "weight", "role": "all"}
    return component("heads_told", told)


def finished(how: int = ForwardMsg.FINISHED_SUCCESSFULLY) -> ForwardMsg:
    return ForwardMsg(script_finished=how)


def heard(judge: Judge, now: float, *messages: ForwardMsg) -> LoadTally:
    for message in messages:
        judge.hear(now, message)
    return judge.tally


def test_a_sentence_is_answered_when_its_tokens_stand_on_the_finished_page():
    judge = Judge(OWN)
    judge.typed(10.0, NEXT)
    assert heard(judge, 10.5, tokens(OWN), finished()).sentence_seconds == []
    assert heard(judge, 11.0, tokens(NEXT)).sentence_seconds == []
    tally = heard(judge, 11.5, finished())
    assert tally.sentence_seconds == [1.5]
    assert (tally.crossed, tally.errors) == ([], [])


def test_tokens_of_no_own_sentence_are_another_sessions():
    assert heard(Judge(OWN), 0.0, tokens(OWN)).crossed == []
    assert len(heard(Judge(OWN), 0.0, tokens(FOREIGN)).crossed) == 1


def test_a_later_head_answers_the_ones_it_overtook():
    judge = Judge(OWN)
    for now, head in ((1.0, (0, 1)), (2.0, (0, 2)), (3.0, (0, 4))):
        judge.opened(now, head)
    assert heard(judge, 4.0, opened(0, 2), finished()).head_seconds == [3.0, 2.0]
    heard(judge, 5.0, opened(0, 4), finished())
    assert judge.tally.head_seconds == [3.0, 2.0, 2.0]


def made(fill) -> ForwardMsg:
    message = ForwardMsg()
    fill(message)
    return message


def alert(kind: int) -> ForwardMsg:
    message = ForwardMsg()
    message.delta.new_element.alert.format = kind
    message.delta.new_element.alert.body = "something"
    return message


def exception(message: ForwardMsg) -> None:
    message.delta.new_element.exception.type = "ValueError"


def mishap(message: ForwardMsg) -> None:
    message.delta.add_block.id = "$$ID-0-mishap_body"


def compile_error(message: ForwardMsg) -> None:
    message.session_event.script_compilation_exception.message = "no"


def test_errors_of_every_kind_are_noticed_and_nothing_else():
    for message in (
        *map(made, (exception, mishap, compile_error)),
        alert(Alert.ERROR),
        finished(ForwardMsg.FINISHED_WITH_COMPILE_ERROR),
    ):
        assert len(faults(message)) == 1
        assert heard(Judge(OWN), 0.0, message).errors == faults(message)
    for message in (alert(Alert.INFO), tokens(OWN), finished(), ForwardMsg()):
        assert faults(message) == []


def test_no_two_sessions_type_the_same_sentence_and_loads_have_limits():
    texts = sentences(50, 31)
    assert [len(each) for each in texts] == [31] * 50
    assert len({text for each in texts for text in each}) == 50 * 31
    with pytest.raises(ValueError, match="there are 35840"):
        sentences(200, 1000)
    for n, minutes in ((0, 1), (201, 1), (5, 0), (5, 31), (5, float("nan"))):
        with pytest.raises(ValueError, match="expected"):
            load.run(n, minutes)


def test_aims_are_missed_by_an_error_by_cross_talk_by_slowness_and_by_growth():
    good = LoadTally(sentence_seconds=[0.5] * 10, n_sentences=10)
    looks = [ServerReading(0, 100, 0), ServerReading(60, 500, 30), ServerReading(120, 510, 60)]
    assert all(aim.met for aim in aims(good, looks))
    bad = LoadTally(
        sentence_seconds=[0.5] * 8 + [3.0] * 2, errors=["no"], crossed=["x"], lost_heads=1
    )
    grown = [ServerReading(0, 100, 0), ServerReading(60, 500, 30), ServerReading(120, 1300, 90)]
    assert not any(aim.met for aim in aims(bad, grown))
    assert "- 1 × no" in table("load", aims(bad, grown), values(bad, grown))


def test_a_message_that_is_only_named_is_the_one_that_came_before():
    visitor = Session(None, "")
    first = tokens(FOREIGN)
    first.hash, first.metadata.cacheable = "abc", True
    assert visitor.resolved(first) is first
    assert visitor.resolved(ForwardMsg(ref_hash="abc")) is first


def test_heads_are_counted_at_the_site_that_is_open():
    visitor = Session(None, "")
    sizes = {"enc": (4, 8), "cross": (2, 8)}
    sites = [{"name": name, "layers": n, "heads": h} for name, (n, h) in sizes.items()]
    heads = {"sites": sites}
    for key, data in (("heads", heads), ("heads_told", {"kind": "cross"})):
        message = ForwardMsg()
        message.delta.new_element.bidi_component.id = f"$$ID-0123456789abcdef-{key}"
        message.delta.new_element.bidi_component.json = json.dumps(data)
        visitor._note(message)
    assert visitor.size() == (2, 8)


@pytest.mark.parametrize(("widget", "field"), [("text_input", "value"), ("selectbox", "raw_value")])
def test_a_value_that_the_server_sets_is_sent_from_then_on(widget, field):
    visitor = Session(None, "")
    id = "$$ID-0123456789abcdef-text"
    visitor._states[id] = "string_value", "old"
    message = ForwardMsg()
    element = getattr(message.delta.new_element, widget)
    element.id = id
    element.set_value = True
    setattr(element, field, "new")
    visitor._note(message)
    assert visitor._states[id] == ("string_value", "new")


def test_a_session_whose_process_ended_takes_its_choices_to_another():
    requests = []

    class Socket:
        async def send(self, data):
            requests.append(BackMsg.FromString(data).rerun_script)

    async def play():
        visitor = Session(Socket(), "http://lab")
        visitor._widgets["text"] = ("$$ID-text", "")
        await visitor.choose(WidgetChange("text", "string_value", "A dog."))
        visitor.ready.set()
        visitor.lose()
        assert not visitor.ready.is_set()
        await visitor.go_on(Socket())

    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(asyncio.run, play()).result()
    texts = [request.widget_states.widgets[0].string_value for request in requests]
    assert texts == ["A dog.", "A dog."]


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_three_sessions_meet_no_error_and_only_themselves(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(load, "SENTENCE_EVERY", 1.5)
    times = tmp_path / "times.json"
    # A browser that another test of this process opened keeps a loop running in this thread.
    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(load.main, sessions=3, minutes=0.6, json_file=times).result()
    found = json.loads(times.read_text())
    assert (found["errors"], found["crossed"]) == ([], [])
    assert len(found["sentence_seconds"]) >= 2
    assert len(found["head_seconds"]) >= 5
    assert found["looks"][-1]["megabytes"] > 50
    assert "sentence to the finished page" in capsys.readouterr().out
