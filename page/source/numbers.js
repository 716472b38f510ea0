// Numbers as people read them: the library says with which format (d3's words, or "date"), and null is nothing.
import {format} from 'd3-format';
import {dateText} from './dates.js';

const known = new Map();
function formatted(value, how) {
  if (!known.has(how)) known.set(how, format(how));
  return known.get(how)(value);
}
// Of the general format (".4~g", ",.6~g") numbers from a thousandth to a billion have no exponent, and all their digits
// before the point; others are powers of ten: 1.5e-5 and not 0.000015.
function general(value, comma, significant) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e9)) return formatted(value, `.${significant - 1}~e`);
  const decimals = size === 0 ? 0 : Math.max(0, significant - 1 - Math.floor(Math.log10(size)));
  return formatted(value, `${comma}.${decimals}~f`);
}

/** null is nothing; words stay as they are. */
export function shown(value, how) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'number') return String(value);
  if (how === 'date') return dateText(value);
  const parts = /^(,?)\.(\d)~g$/.exec(how || '.4~g');
  return parts ? general(value, parts[1], Number(parts[2])) : formatted(value, how);
}

/** {name: [1, 2], ...} as [{name: 1, ...}, {name: 2, ...}]: data come by column, which is shorter. */
export function rowsOf(columns) {
  const names = Object.keys(columns);
  const length = names.length ? columns[names[0]].length : 0;
  const rows = new Array(length);
  for (let i = 0; i < length; ++i) {
    const row = {};
    for (const name of names) row[name] = columns[name][i];
    rows[i] = row;
  }
  return rows;
}
