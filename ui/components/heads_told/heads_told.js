// Stands between Python and the heads: hands over what Python knows of the open head, and sends what
// the reader chooses. It is small, so neither the maps need to travel again when the focus changes
// nor anything beside them to be drawn again.

export default function ({ data, setStateValue }) {
  const told = (globalThis.attentionLabTold ??= new Map());
  const heads = opened(data);
  told.set(heads.of, { ...heads, send: (choice) => setStateValue("choice", choice) });
  document.dispatchEvent(new CustomEvent("attention-lab-told", { detail: heads.of }));
}
