import type { Choice, HistorySettings } from './history.js';

/**
 * The shortest history that breaks the same law, by leaving out ever smaller parts of it: what an operation does is drawn from a
 * seed of its own, so that it means the same where others are gone.
 */
export async function shrink(
  history: HistorySettings,
  breaks: (history: HistorySettings) => Promise<boolean>,
): Promise<HistorySettings> {
  let shortest = history;
  for (let size = Math.ceil(history.choices.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = shortest.choices.length - size; at > -size; at -= size) {
      const choices: Choice[] = shortest.choices.toSpliced(Math.max(0, at), size + Math.min(0, at));
      if (choices.length < shortest.choices.length && (await breaks({ ...shortest, choices })))
        shortest = { ...shortest, choices };
    }
  }
  return shortest;
}
