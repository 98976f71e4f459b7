// In the place of RequireJS: BertViz's libraries one after the other, then BertViz.
window.require = window.requirejs = (names, ready) => {
  const load = (name) => new Promise((done) => {
    const script = document.createElement('script');
    script.src = 'https://stand-in.invalid/' + name + '.js';
    script.onload = done;
    document.head.append(script);
  });
  (async () => {
    for (const name of names) await load(name);
    ready(...names.map((name) => name === 'd3' ? window.d3 : window.jQuery));
    window.drawn = performance.now();
  })();
};
window.require.config = () => {};
