import type { Origin } from '#base/diagnostics.js';

/** The overlay, variable or row that a value comes from; undefined if it is written at its position. */
export function sourceText(origin: Origin | undefined): string | undefined {
  const { layer = 'base', filledBy, row } = origin ?? {};
  const overlay = layer.startsWith('overlay ') ? [`This is in the ${layer}.`] : [];
  const variable = filledBy === undefined ? [] : [`The value comes from ${filledBy}.`];
  const list = row === undefined ? [] : [`It comes from ${row}.`];
  const all = [...overlay, ...variable, ...list];
  return all.length === 0 ? undefined : all.join(' ');
}
