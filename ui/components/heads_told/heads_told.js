// Hands over what Python knows of the open head to the heads themselves: small, so that the maps
// need not travel again when the focus changes.

export default function ({ data }) {
  const told = (globalThis.attentionLabTold ??= new Map());
  told.set(data.of, data);
  document.dispatchEvent(new CustomEvent("attention-lab-told", { detail: data.of }));
}
