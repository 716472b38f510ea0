// Where to cut: a slider over the cuts that the library counted, the four counts there, and what they cost. All the
// arithmetic of this page is here: shares of counts, and counts times prices.
import {signal} from './chart.js';
import {el, fresh, phrase} from './dom.js';
import {shown} from './numbers.js';

const share = (part, all) => (all > 0 ? shown(part / all, '.1%') : '–');

// The browser itself leaves text out of a field of numbers; what is left is then no number.
const mostPrice = 1e9;  // sums over rows stay numbers
const isPrice = input => input.checkValidity() && Number.isFinite(input.valueAsNumber);

/** block: {negative, positive, chosen, start (place of the first cut shown), cuts: {cut, tp, fp, fn, tn}, prices: [fp, fn], words, weighted}. Weighted counts
 * have a unit that nobody states: what is shown are shares of them, and costs of a row. */
export function threshold(block) {
  const {cut, tp, fp, fn, tn} = block.cuts;
  const id = fresh('cut');
  const slider = el('input', {id, type: 'range', min: 0, max: cut.length - 1, step: 1, value: block.start});
  const at = el('output', {for: id});
  const prices = block.prices.map((price, k) => el('input', {
    id: `${id}-price-${k}`, type: 'number', min: 0, max: mostPrice, step: 'any', required: '', value: price,
    'aria-describedby': `${id}-refused`}));
  const refused = el('p', {id: `${id}-refused`, class: 'refused', role: 'alert'});
  const cells = ['tn', 'fp', 'fn', 'tp'].map(name => el('td', {class: 'number', 'data-count': name}));
  const recall = [0, 1].map(() => el('td', {class: 'number'}));
  const precision = [0, 1].map(() => el('td', {class: 'number'}));
  const verdict = el('p', {role: 'status', 'data-cost': ''});

  const update = () => {
    const k = Number(slider.value);
    const counts = [tn[k], fp[k], fn[k], tp[k]];
    at.textContent = shown(cut[k], '.4~f');
    slider.setAttribute('aria-valuetext', `probability ${shown(cut[k], '.4~f')}`);
    const all = counts.reduce((x, y) => x + y, 0);
    cells.forEach((c, j) => { c.textContent = block.weighted ? share(counts[j], all) : shown(counts[j], ',.6~g'); });
    recall[0].textContent = share(tn[k], tn[k] + fp[k]);
    recall[1].textContent = share(tp[k], tp[k] + fn[k]);
    precision[0].textContent = share(tn[k], tn[k] + fn[k]);
    precision[1].textContent = share(tp[k], tp[k] + fp[k]);
    signal('cuts', 'cut', cut[k]);
    const wrong = prices.filter(p => !isPrice(p));
    for (const p of prices) p.setAttribute('aria-invalid', String(wrong.includes(p)));
    refused.textContent = wrong.length ? 'A price is a number, 0 or more, at most a billion (1e9).' : '';
    const mistakes = `${share(fp[k] + fn[k], all)} of the rows${block.weighted ? ', by weight,' : ''} are wrong`;
    if (wrong.length) {
      verdict.textContent = `At this cut ${mistakes}.`;
      return;
    }
    const [a, b] = prices.map(p => p.valueAsNumber);
    const cost = j => a * fp[j] + b * fn[j];
    let best = 0;
    for (let j = 1; j < cut.length; ++j) if (cost(j) < cost(best)) best = j;
    const [total, least] = block.weighted ? ['', `${shown(cost(best) / all, '.4~g')} a row`]
      : [`${shown(cost(k), ',.4~g')}, `, shown(cost(best), ',.4~g')];
    verdict.textContent = `These decisions cost ${total}${shown(cost(k) / all, '.4~g')} a row, and ${mistakes}. ` +
      `The least that any cut costs here is ${least}, at ${shown(cut[best], '.4~f')}.`;
  };
  slider.addEventListener('input', update);
  for (const p of prices) p.addEventListener('input', update);
  const head = (text, kind) => el('th', {scope: kind, dir: 'auto', class: kind === 'col' ? 'number' : null}, text);
  const out = el('div', {class: 'cut'},
    el('h3', null, 'Move the cut'),
    el('p', {dir: 'auto'}, phrase(block.words)),
    el('div', {class: 'tools'}, el('label', {for: id}, 'Positive from probability', slider), at),
    el('table', null,
      el('caption', null, block.weighted
        ? 'Held-out rows at this cut, in per cent of all rows, by weight' : 'Held-out rows at this cut'),
      el('thead', null, el('tr', null, el('th', {scope: 'col'}, 'true class'), head(`called ${block.negative}`, 'col'),
        head(`called ${block.positive}`, 'col'), el('th', {scope: 'col', class: 'number share'}, 'found'))),
      el('tbody', null,
        el('tr', null, head(block.negative, 'row'), cells[0], cells[1], recall[0]),
        el('tr', null, head(block.positive, 'row'), cells[2], cells[3], recall[1]),
        el('tr', null, head('right of those called so', 'row'), precision[0], precision[1], el('td')))),
    el('div', {class: 'tools'},
      el('label', {for: `${id}-price-0`}, 'Price of a false positive', prices[0]),
      el('label', {for: `${id}-price-1`}, 'Price of a false negative', prices[1])),
    refused, verdict);
  update();
  return out;
}
