// Elements whose text is text: nothing that comes from the data is ever parsed as HTML.

/** A new element. Attributes that are null or undefined are left out; children are elements or text. */
export function el(tag, attributes, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (value !== null && value !== undefined) out.setAttribute(name, value);
  for (const child of children.flat())
    if (child !== null && child !== undefined) out.append(child);
  return out;
}

/** Text whose options of the command line are not broken at their hyphens. */
export const phrase = text =>
  String(text ?? '').split(/(--[a-z][a-z-]*)/).map((part, k) => (k % 2 ? el('span', {class: 'option'}, part) : part));

/** Calls this while nobody waits. */
export const idle = next => {
  if (window.requestIdleCallback) requestIdleCallback(next, {timeout: 1000});
  else setTimeout(next);
};

let last = 0;
/** An id that no other element has. */
export const fresh = stem => `${stem}-${++last}`;
