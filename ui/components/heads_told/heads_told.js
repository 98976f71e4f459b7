// Hands over what Python knows of the open head to the heads themselves: small, so that the maps
// need not travel again when the focus changes.

export default function ({ data }) {
  const told = (globalThis.attentionLabTold ??= new Map());
  const heads = opened(data);
  told.set(heads.of, heads);
  document.dispatchEvent(new CustomEvent("attention-lab-told", { detail: heads.of }));
}
