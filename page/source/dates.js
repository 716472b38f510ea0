// Dates: numbers of days since 1970-01-01, as people read them.
import {utcTicks} from 'd3-time';
import {utcFormat} from 'd3-time-format';

const perDay = 864e5, perMinute = 6e4;
const day = utcFormat('%Y-%m-%d'), minute = utcFormat('%Y-%m-%d %H:%M');

/** 2021-04-03, or 2021-04-03 17:30. */
export function dateText(days) {
  const time = Math.round(days * perDay / perMinute) * perMinute;
  return (time % perDay === 0 ? day : minute)(new Date(time));
}

// No longer than tells the marks apart.
function wordsOf(marks) {
  if (marks.some(mark => mark % perDay !== 0)) return '%Y-%m-%d %H:%M';
  if (marks.some(mark => mark.getUTCDate() !== 1)) return '%Y-%m-%d';
  return marks.some(mark => mark.getUTCMonth() !== 0) ? '%Y-%m' : '%Y';
}

/** Marks the axes of this scale at beginnings of years, months or days; block.data has the days. */
export function markDates(spec, scale, block) {
  let low = Infinity, high = -Infinity;
  for (const source of Object.values(block.data))
    for (const days of [...(source[scale] ?? []), ...(source[`${scale}2`] ?? [])])
      if (days !== null) low = Math.min(low, days), high = Math.max(high, days);
  for (const axis of spec.axes ?? []) {
    if (axis.scale !== scale || !(low <= high)) continue;
    const marks = utcTicks(new Date(low * perDay), new Date(high * perDay), 5);
    axis.values = marks.map(mark => mark / perDay);
    const text = {signal: `utcFormat(datum.value * ${perDay}, '${wordsOf(marks)}')`};
    axis.encode = {...axis.encode, labels: {...axis.encode?.labels, update: {...axis.encode?.labels?.update, text}}};
  }
}
