import type { Origin } from '#base/diagnostics.js';

/** What a position does not say: from which overlay or variable the value comes; undefined where it is written there. */
export function sourceText(origin: Origin | undefined): string | undefined {
  const { layer = 'base', filledBy } = origin ?? {};
  const overlay = layer.startsWith('overlay ') ? [`This is in the ${layer}.`] : [];
  const variable = filledBy === undefined ? [] : [`The value comes from ${filledBy}.`];
  return overlay.length + variable.length === 0 ? undefined : [...overlay, ...variable].join(' ');
}
