// What a benchmark asks of the page that it uses; PICTURE is the selector of a figure.

let host = null;
const heads = () => {
  if (!host?.isConnected) {
    host = [...document.querySelectorAll('*')].find(e => e.shadowRoot?.querySelector('.heads'));
  }
  return host?.shadowRoot.querySelector(PICTURE);
};

// What the picture shows, as a short text: of the heads what is open and how often they were drawn,
// fills and images of an SVG, pixels of a canvas.
window.signature = () => {
  const picture = document.querySelector(PICTURE) ?? heads();
  if (!picture) return '';
  if (picture.matches('.heads')) return JSON.stringify({...picture.dataset});
  if (picture.tagName.toLowerCase() === 'svg') {
    return [...picture.querySelectorAll('path[fill], image')]
      .map(cell => [
        cell.getAttribute('fill') ?? cell.getAttribute('href')?.slice(-80),
        cell.getAttribute('opacity'),
        cell.getAttribute('d')?.slice(0, 60),
      ]).join();
  }
  const small = document.createElement('canvas');
  small.width = small.height = 96;
  const context = small.getContext('2d', { willReadFrequently: true });
  context.drawImage(picture, 0, 0, 96, 96);
  return context.getImageData(0, 0, 96, 96).data.join();
};
window.changed = () => window.signature() !== window.before;
window.idle = () => document.querySelector(
  '[data-testid="stApp"][data-test-script-state="notRunning"]') !== null;

let began = 0;
for (const name of ['pointerdown', 'keydown']) {
  document.addEventListener(name, () => { began = performance.now(); }, true);
}
// Milliseconds from the click or key press to the first frame that passes the test.
const waitFor = (test) => new Promise((resolve, reject) => {
  const started = performance.now();
  const look = () => test() ? resolve(performance.now() - began)
    : performance.now() - started > 30000 ? reject(new Error('nothing changed'))
    : requestAnimationFrame(look);
  requestAnimationFrame(look);
});
// Until the picture is new, and from then on until it is new and the app idle for three frames.
window.watch = () => {
  window.before = window.signature();
  began = 0;
  let seen = 0;
  window.picture = waitFor(() => began && window.changed());
  window.rested = window.picture.then(() => waitFor(() => {
    seen = window.changed() && window.idle() ? seen + 1 : 0;
    return seen > 2;
  }));
};
null;  // else Playwright would call the function that the last line gives
