// Numbers as people read them: the library says with which format (d3's words, or "date"), and null is nothing.
import {format} from 'd3-format';
import {dateText} from './dates.js';

const known = new Map();
function formatted(value, how) {
  if (!known.has(how)) known.set(how, format(how));
  return known.get(how)(value);
}
/** Of the general format (".4~g") numbers below a thousandth are powers of ten: 1.5e-5 and not 0.000015. */
export function shown(value, how) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'number') return String(value);
  if (how === 'date') return dateText(value);
  const general = /^\.(\d)~g$/.exec(how || '.4~g');
  if (general && value !== 0 && Math.abs(value) < 1e-3) return formatted(value, `.${general[1] - 1}~e`);
  return formatted(value, how || '.4~g');
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
