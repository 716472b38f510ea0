// Charts: a Vega specification compiled when Lacuna was built, and data from the page. Expressions are interpreted, so
// that the page needs no eval.
import {expressionInterpreter} from 'vega-interpreter';
import {parse, View} from './vega.js';
import charts from 'charts';
import {el, fresh} from './dom.js';
import {rowsOf} from './numbers.js';
import {table} from './table.js';

const waiting = [];

/** block: {chart, title, description, data: {name: {column: [...]}}, signals, height, table}. */
export function chart(block) {
  const label = fresh('chart');
  const drawing = el('div', {class: 'drawing', role: 'img', 'aria-labelledby': `${label} ${label}-words`,
                             'data-chart': block.chart});
  const figure = el('figure', null,
    el('figcaption', null, el('h3', {id: label, dir: 'auto'}, block.title),
       el('p', {id: `${label}-words`, dir: 'auto'}, block.description)),
    drawing);
  if (block.table) figure.append(tableOf(block));
  waiting.push(() => draw(block, drawing));
  return figure;
}

// Made when it is opened: a page has many.
function tableOf(block) {
  const columns = block.table.columns;
  const details = el('details', null, el('summary', null, 'The numbers'));
  const fill = () => {
    if (details.children.length > 1) return;
    const rows = rowsOf(block.data[block.table.data]).map(row => columns.map(c => row[c.field]));
    details.append(table({caption: block.title, columns, rows, row_heads: false}));
  };
  details.addEventListener('toggle', fill);
  window.addEventListener('beforeprint', () => { if (details.open) fill(); });
  return details;
}

// Titles of axes and legends that begin with @ are words that the block has: "@xname".
function withWords(part, words) {
  if (typeof part.title === 'string' && part.title[0] === '@') part.title = words[part.title.slice(1)] ?? null;
  for (const inner of [...(part.marks ?? []), ...(part.axes ?? []), ...(part.legends ?? [])]) withWords(inner, words);
}

function draw(block, drawing) {
  const spec = structuredClone(charts[block.chart]);
  withWords(spec, block.signals ?? {});
  if (block.signals?.legend === false) delete spec.legends;
  for (const source of spec.data)
    if (block.data[source.name]) source.values = rowsOf(block.data[source.name]);
  for (const signal of spec.signals ?? [])
    if (block.signals && signal.name in block.signals) signal.value = block.signals[signal.name];
  const view = new View(parse(spec, null, {ast: true}), {
    expr: expressionInterpreter, renderer: 'svg', container: drawing, hover: false,
    loader: {load: () => Promise.reject(new Error('this page loads nothing')), sanitize: () => Promise.reject()},
    logLevel: 1,
  });
  drawing.vega = view;
  return view.runAsync();
}

/** Draws all charts, in turn, so that the first can be seen before the last is there. */
export async function drawAll() {
  for (const one of waiting.splice(0)) {
    await one();
    await new Promise(next => setTimeout(next));
  }
}
