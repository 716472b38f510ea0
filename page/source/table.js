// Tables: sorted by a button in each heading, searched by any text in their cells.
import {el, fresh, idle} from './dom.js';
import {shown} from './numbers.js';

function cell(value, column, heads) {
  const marked = Array.isArray(value);  // [value, "mark"]: one that stands out
  const text = shown(marked ? value[0] : value, column.format);
  const kind = (column.number ? 'number' : 'text') + (marked ? ' mark' : '');
  return heads ? el('th', {scope: 'row', class: kind, dir: 'auto'}, text) : el('td', {class: kind, dir: 'auto'}, text);
}

const plain = value => (Array.isArray(value) ? value[0] : value);

// Numbers by value, words by letter, nothing last whichever way.
function compare(a, b, sign) {
  const [x, y] = [plain(a), plain(b)];
  const [none, other] = [x === null || x === undefined, y === null || y === undefined];
  if (none || other) return none - other;
  if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
  return sign * String(x).localeCompare(String(y));
}

/** block: {caption, columns: [{title, number, format}], rows: [[...]], sortable, searchable}. */
export function table(block) {
  const body = el('tbody');
  const status = el('span', {class: 'quiet', role: 'status'});
  let rows = block.rows.map((cells, at) => ({cells, at, line: null, text: null}));
  let wanted = '';
  const heads = block.row_heads !== false;

  const show = (most = Infinity) => {
    const kept = rows.filter(row => {
      if (!wanted) return true;
      row.text ??= row.cells.map((c, k) => shown(plain(c), block.columns[k].format)).join('\u0000').toLowerCase();
      return row.text.includes(wanted);
    });
    body.replaceChildren(...kept.slice(0, most).map(row =>
      row.line ??= el('tr', null, row.cells.map((c, k) => cell(c, block.columns[k], heads && k === 0)))));
    if (block.searchable)
      status.textContent = wanted ? `${kept.length} of ${rows.length} rows` : `${rows.length} rows`;
  };

  const headings = block.columns.map((column, k) => {
    const kind = column.number ? 'number' : 'text';
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

  const kinds = [block.rows.length > 40 ? 'long' : '', block.columns.length < 6 ? 'narrow' : ''];
  const out = el('table', {class: kinds.join(' ').trim() || null});
  const unseen = block.caption === block.title ? 'unseen' : null;  // said above already
  if (block.caption) out.append(el('caption', {dir: 'auto', class: unseen}, block.caption));
  out.append(el('thead', null, el('tr', null, headings)), body);
  const first = 40;  // those that can be seen without scrolling, and more
  show(first);
  if (rows.length > first) idle(() => show());
  const label = block.caption || block.title || 'Table';
  const scroll = el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label}, out);
  const columns = block.columns.length;  // on paper there is room for fourteen
  if (columns > 14) scroll.append(el('p', {class: 'paper'}, `On paper: the first 14 of ${columns} columns.`));
  if (!block.searchable) return scroll;
  const id = fresh('search');
  const search = el('input', {id, type: 'search', autocomplete: 'off', spellcheck: 'false'});
  search.addEventListener('input', () => { wanted = search.value.trim().toLowerCase(); show(); });
  return el('div', null, el('div', {class: 'tools'}, el('label', {for: id}, 'Search', search), status), scroll);
}
