// Charts: a Vega specification compiled when Lacuna was built, and data from the page. Expressions are interpreted, so
// that the page needs no eval.
//
// A page is ready when the charts that can be seen are there. The others are drawn while nobody waits, at once where
// they come near, and all of them before the page is printed.
import {expressionInterpreter} from 'vega-interpreter';
import {parse, View} from './vega.js';
import specifications from 'charts';
import {markDates} from './dates.js';
import {el, fresh, idle, phrase} from './dom.js';
import {rowsOf} from './numbers.js';
import {table} from './table.js';

const near = 300;  // pixels below the window
const charts = [];  // {block, drawing, view, done}, in the order of the page

/** block: {chart, title, description, data: {name: {column: [...]}}, signals, height, table}. */
export function chart(block) {
  const label = fresh('chart');
  const drawing = el('div', {class: 'drawing', role: 'img', 'aria-labelledby': `${label} ${label}-words`,
                             'data-chart': block.chart});
  const figure = el('figure', null,
    el('figcaption', null, el('h3', {id: label, dir: 'auto'}, block.title),
       el('p', {id: `${label}-words`, dir: 'auto'}, phrase(block.description))),
    drawing);
  if (block.table) figure.append(tableOf(block));
  drawing.style.minHeight = `${room(block)}px`;
  charts.push({block, drawing, view: null, done: null});
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

// The names in a legend: values of the columns that its scale is made of.
function namesOf(legend, spec, block) {
  const {domain} = spec.scales.find(s => [legend.fill, legend.stroke, legend.shape].includes(s.name));
  const names = (domain.fields ?? [domain]).flatMap(part =>
    Object.values(block.data).flatMap(source => source[part.field] ?? []));
  return [...new Set(names.filter(name => typeof name === 'string'))];
}

// Legends have as many columns as their longest name leaves room for, and stand one below the other where side by side
// they would not fit.
function fitLegends(spec, block, width) {
  const legends = spec.legends ?? [];
  let needed = 0;
  for (const legend of legends) {
    const names = namesOf(legend, spec, block);
    const entry = 32 + Math.min(240, 7 * Math.max(1, ...names.map(name => name.length)));
    legend.columns = Math.max(1, Math.min(8, Math.floor((width - 60) / entry)));
    legend.labelLimit = Math.min(240, width - 90);
    needed += legend.type === 'gradient' || names.length === 0 ? 200 : entry * Math.min(8, names.length);
  }
  if (legends.length < 2 || needed <= width - 60) return;
  const layout = {top: {direction: 'vertical', anchor: 'start', margin: 8}};
  spec.config = {...spec.config, legend: {...spec.config?.legend, layout}};
}

// Titles of axes have as many lines as they need beside what is drawn.
function fitTitles(group, width, height) {
  const letter = 6.5, aside = 130;  // pixels: of a letter, and of what stands beside a drawing
  for (const axis of group.axes ?? []) {
    if (typeof axis.title !== 'string') continue;
    const along = ['left', 'right'].includes(axis.orient) ? height : width - aside;
    if (along > 0) axis.title = linesOf(axis.title, Math.max(16, Math.floor(along / letter)));
  }
  for (const inner of group.marks ?? []) fitTitles(inner, width, height);
}

function linesOf(text, letters) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${word}` : word;
    if (longer.length <= letters || !lines[lines.length - 1]) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

// About as high as it will be, so that what is below stays where it is.
function room(block) {
  const {height} = specifications[block.chart];
  return typeof height === 'number' ? height + 50 : 60;
}

function draw(one) {
  const {block, drawing} = one;
  const spec = structuredClone(specifications[block.chart]);
  withWords(spec, block.signals ?? {});
  if (block.signals?.legend === false) delete spec.legends;
  fitLegends(spec, block, drawing.clientWidth);
  fitTitles(spec, drawing.clientWidth, typeof spec.height === 'number' ? spec.height : 0);
  for (const scale of block.signals?.dates ?? []) markDates(spec, scale, block);
  for (const source of spec.data)
    if (block.data[source.name]) source.values = rowsOf(block.data[source.name]);
  for (const signal of spec.signals ?? [])
    if (block.signals && signal.name in block.signals) signal.value = block.signals[signal.name];
  one.view = new View(parse(spec, null, {ast: true}), {
    expr: expressionInterpreter, renderer: 'svg', container: drawing, hover: false,
    loader: {load: () => Promise.reject(new Error('this page loads nothing')), sanitize: () => Promise.reject()},
    logLevel: 1,
  });
  drawing.vega = one.view;
  return one.view.runAsync().then(() => { drawing.style.minHeight = ''; });
}

const drawn = one => (one.done ??= draw(one));

/** Sets a signal of all charts of this name, drawn or not. */
export function signal(name, of, value) {
  for (const one of charts) {
    if (one.block.chart !== name) continue;
    one.block.signals[of] = value;
    one.view?.signal(of, value).runAsync();
  }
}

/** Draws what can be seen, and has the rest drawn later; [ready, all] promises. */
export function drawAll() {
  const seen = charts.filter(one => one.drawing.getBoundingClientRect().top < window.innerHeight);
  const ready = (async () => { for (const one of seen) await drawn(one); })();
  window.addEventListener('beforeprint', () => charts.forEach(drawn));
  const watch = new IntersectionObserver(entries => {
    for (const entry of entries)
      if (entry.isIntersecting) drawn(charts.find(one => one.drawing === entry.target));
  }, {rootMargin: `${near}px 0px`});
  const all = ready.then(async () => {
    for (const one of charts) if (!one.done) watch.observe(one.drawing);
    for (const one of charts) {
      if (!one.done) await new Promise(idle);
      await drawn(one);
    }
    watch.disconnect();
  });
  return [ready, all];
}
