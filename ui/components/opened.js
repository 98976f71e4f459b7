/** What `ui.components.packed` made of the data; an array is its bytes. */
function opened(data) {
  const begin = 4 + new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  const array = (name, value) => (value?.bytes ? data.slice(...value.bytes.map((at) => begin + at)) : value);
  return JSON.parse(new TextDecoder().decode(data.subarray(4, begin)), array);
}

/** The numbers of an array that was packed. */
const numbers = (bytes, Type) => new Type(bytes.buffer);
