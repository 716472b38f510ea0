// The report page: sections of blocks, as the library wrote them into the page, become elements. A block says what kind
// it is; the kinds are below, and a chart needs no more than its file in charts/.
import {chart, drawAll} from './chart.js';
import {el, fresh, phrase} from './dom.js';
import {table} from './table.js';
import {threshold} from './threshold.js';

const kinds = {
  words: b => el('p', {dir: 'auto', class: b.tone === 'warning' ? 'warning' : b.tone === 'note' ? 'note-box' : null},
                 phrase(b.text)),
  figures: b => el('dl', {class: 'figures'}, b.items.map(i => el('div', null,
    el('dt', {dir: 'auto'}, i.label),
    el('dd', null,
      el('div', {class: 'value'}, i.value, i.spread ? el('span', {class: 'spread'}, ` ${i.spread}`) : null),
      i.note ? el('div', {class: 'note', dir: 'auto'}, phrase(i.note)) : null)))),
  facts: b => el('dl', {class: 'facts'},
    b.items.flatMap(([name, value]) => [el('dt', {dir: 'auto'}, name), el('dd', {dir: 'auto'}, value)])),
  // Broken between words, not at the hyphens inside them.
  code: b => el('pre', {tabindex: 0, role: 'region', 'aria-label': b.label},
                el('code', null, b.text.split(/( +)/).map(w => (w.trim() ? el('span', {class: 'word'}, w) : w)))),
  grid: b => el('div', {class: b.small ? 'grid small' : 'grid'}, b.blocks.map(block)),
  table: b => el('div', {class: 'listing'}, b.title ? el('h3', {dir: 'auto'}, b.title) : null,
                 b.text ? el('p', {class: 'quiet', dir: 'auto'}, phrase(b.text)) : null, table(b)),
  chart,
  threshold,
};

const block = b => kinds[b.kind](b);

function build(page) {
  const sections = page.sections.map(s => {
    const heading = fresh('section');
    return {id: s.id, title: s.title, element: el('section', {id: s.id, 'aria-labelledby': heading},
      el('h2', {id: heading, dir: 'auto'}, s.title), s.blocks.map(block))};
  });
  document.title = page.title;
  document.body.replaceChildren(
    el('a', {class: 'skip', href: '#content'}, 'Skip to the report'),
    el('header', null, el('h1', {dir: 'auto'}, page.title), el('p', {class: 'subtitle', dir: 'auto'}, page.subtitle),
      el('nav', {'aria-label': 'Sections'},
        el('ul', null, sections.map(s => el('li', null, el('a', {href: `#${s.id}`}, s.title)))))),
    el('main', {id: 'content'}, sections.map(s => s.element)),
    el('footer', null, el('p', null, page.footer)));
}

build(JSON.parse(document.getElementById('lacuna-page').textContent));
const [ready, all] = drawAll();
ready.then(() => { document.documentElement.dataset.ready = 'yes'; });
all.then(() => { document.documentElement.dataset.drawn = 'yes'; });
