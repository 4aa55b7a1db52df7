import type { Origin } from '#base/diagnostics.js';

/** The overlay or variable that a value comes from; undefined if it is written at its position. */
export function sourceText(origin: Origin | undefined): string | undefined {
  const { layer = 'base', filledBy } = origin ?? {};
  const overlay = layer.startsWith('overlay ') ? [`This is in the ${layer}.`] : [];
  const variable = filledBy === undefined ? [] : [`The value comes from ${filledBy}.`];
  return overlay.length + variable.length === 0 ? undefined : [...overlay, ...variable].join(' ');
}
