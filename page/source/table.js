// Tables: sorted by a button in each heading, searched by any text in their cells.
import {el, fresh, idle} from './dom.js';
import {shown} from './numbers.js';

const onPaper = {rows: 40, columns: 14, width: 680, letter: 5.3, gap: 6};  // page.css hides the others; pixels

// [value, "mark", text]: marked ones stand out; a text in place of the number that they are sorted by. Either may be
// missing.
const plain = value => (Array.isArray(value) ? value[0] : value);
const textOf = (value, column) => (Array.isArray(value) && value[2]) || shown(plain(value), column.format);

// Its words are short enough never to be broken.
const whole = text => text.split(/\s/).every(word => word.length <= 11);

// Whether on paper a table is too wide unless its words are broken.
function tight(block) {
  const words = (text, column) => (column.number ? [text] : text.split(/\s/)).map(word => word.length);
  let width = 0;
  block.columns.slice(0, onPaper.columns).forEach((column, k) => {
    const lengths = block.rows.slice(0, onPaper.rows).flatMap(row => words(textOf(row[k], column), column));
    width += onPaper.gap + onPaper.letter * Math.max(...lengths, ...column.title.split(/\s/).map(w => w.length));
  });
  return width > onPaper.width;
}

function cell(value, column, heads) {
  const text = textOf(value, column);
  const kinds = [column.number ? 'number' : 'text'];
  if (Array.isArray(value) && value[1]) kinds.push('mark');
  if (text.length <= 18) kinds.push('short');
  if (whole(text)) kinds.push('whole');
  const attributes = {class: kinds.join(' '), dir: 'auto'};
  return heads ? el('th', {scope: 'row', ...attributes}, text) : el('td', attributes, text);
}

// Numbers by value, words by letter, nothing last whichever way.
function compare(a, b, sign) {
  const [x, y] = [plain(a), plain(b)];
  const [none, other] = [x === null || x === undefined, y === null || y === undefined];
  if (none || other) return none - other;
  if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
  return sign * String(x).localeCompare(String(y));
}

// Regions of one page have names of their own.
const labels = new Map();
function unlike(label) {
  const times = (labels.get(label) ?? 0) + 1;
  labels.set(label, times);
  return times > 1 ? `${label} (${times})` : label;
}

/** block: {caption, columns: [{title, number, format}], rows: [[cell ...]], sortable, searchable}. */
export function table(block) {
  const body = el('tbody');
  const status = el('span', {class: 'quiet', role: 'status'});
  let rows = block.rows.map((cells, at) => ({cells, at, line: null, text: null}));
  let wanted = '';
  const heads = block.row_heads !== false;

  const show = (most = Infinity) => {
    const kept = rows.filter(row => {
      if (!wanted) return true;
      row.text ??= row.cells.map((c, k) => textOf(c, block.columns[k])).join('\u0000').toLowerCase();
      return row.text.includes(wanted);
    });
    body.replaceChildren(...kept.slice(0, most).map(row =>
      row.line ??= el('tr', null, row.cells.map((c, k) => cell(c, block.columns[k], heads && k === 0)))));
    if (block.searchable)
      status.textContent = wanted ? `${kept.length} of ${rows.length} rows` : `${rows.length} rows`;
  };

  const headings = block.columns.map((column, k) => {
    const kind = (column.number ? 'number' : 'text') + (whole(column.title) ? ' whole' : '');
    if (!block.sortable) return el('th', {scope: 'col', class: kind}, column.title);
    const button = el('button', {type: 'button'}, column.title);
    const heading = el('th', {scope: 'col', class: kind, 'aria-sort': 'none'}, button);
    button.addEventListener('click', () => {
      // Numbers are looked at from the largest, words from the first.
      const before = heading.getAttribute('aria-sort');
      const next = before === 'none' ? (column.number ? 'descending' : 'ascending')
        : before === 'ascending' ? 'descending' : 'ascending';
      for (const other of headings) other.setAttribute('aria-sort', 'none');
      heading.setAttribute('aria-sort', next);
      const sign = next === 'ascending' ? 1 : -1;
      rows = [...rows].sort((a, b) => compare(a.cells[k], b.cells[k], sign) || a.at - b.at);
      show();
    });
    return heading;
  });

  const columns = block.columns.length;
  const kinds = [block.rows.length > onPaper.rows ? 'long' : '', columns < 6 ? 'narrow' : columns > 8 ? 'wide' : '',
                 columns > 8 && tight(block) ? 'tight' : ''];
  const out = el('table', {class: kinds.filter(Boolean).join(' ') || null});
  const unseen = block.caption === block.title ? 'unseen' : null;  // said above already
  if (block.caption) out.append(el('caption', {dir: 'auto', class: unseen}, block.caption));
  out.append(el('thead', null, el('tr', null, headings)), body);
  show(onPaper.rows);  // those that can be seen without scrolling, and more
  if (rows.length > onPaper.rows) idle(() => show());
  const label = unlike(block.caption || block.title || 'Table');
  const scroll = el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label}, out);
  const parts = [];
  if (rows.length > onPaper.rows) parts.push(`the first ${onPaper.rows} of ${rows.length} rows`);
  if (columns > onPaper.columns) parts.push(`the first ${onPaper.columns} of ${columns} columns`);
  if (parts.length) scroll.append(el('p', {class: 'paper'}, `On paper: ${parts.join(' and ')}.`));
  if (!block.searchable) return scroll;
  const id = fresh('search');
  const search = el('input', {id, type: 'search', autocomplete: 'off', spellcheck: 'false'});
  search.addEventListener('input', () => { wanted = search.value.trim().toLowerCase(); show(); });
  return el('div', null, el('div', {class: 'tools'}, el('label', {for: id}, 'Search', search), status), scroll);
}
