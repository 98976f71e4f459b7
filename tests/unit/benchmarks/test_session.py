"""A session without a browser: what a page sends for a choice of the reader."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.load import _connect
from benchmarks.serving import serve
from benchmarks.session import Session, choose_head, head_of


async def clicked(address: str) -> tuple[Session, list[ForwardMsg]]:
    """A session that has opened another head, and the messages that came of it."""
    heard: list[ForwardMsg] = []
    async with _connect(address, "") as socket:
        session = Session(socket, address, lambda message, size: heard.append(message))
        listening = asyncio.create_task(session.listen())
        await session.rerun()
        await asyncio.wait_for(session.ready.wait(), 60)
        heard.clear()
        layer, head = head_of(session.opened)
        await session.choose(choose_head(session.opened, layer, 1 - min(head, 1), 1))
        async with asyncio.timeout(30):
            while not any(each.WhichOneof("type") == "script_finished" for each in heard):
                await asyncio.sleep(0.05)
        listening.cancel()
    return session, heard


@pytest.mark.slow
def test_a_click_redraws_the_texts_of_a_head_but_not_the_heads_nor_their_files(folder):
    with serve() as server, ThreadPoolExecutor(1) as elsewhere:
        session, heard = elsewhere.submit(asyncio.run, clicked(server.address)).result()
    drawn = [each.delta.new_element for each in heard if each.HasField("delta")]
    components = [each.bidi_component.id for each in drawn if each.HasField("bidi_component")]
    assert [id.rpartition("-")[2] for id in components] == ["heads_told"]
    assert session.opened["answered"] == 1
    texts = " ".join(each.markdown.body for each in drawn)
    assert f"head {head_of(session.opened)[1] + 1}" in texts
    assert not any(each.delta.add_block.HasField("popover") for each in heard)
