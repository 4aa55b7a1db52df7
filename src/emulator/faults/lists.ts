import type { Action, ActionContext } from './action.js';
import { type Entry, isReadAnswer, listEntries, withBody } from './answers.js';
import type { Keys, Parameter } from './keys.js';

/** Changes the entries of a list; the key `count` decides how many entries the answer claims. */
type Change = (
  entries: readonly Entry[],
  keys: Keys,
  scene: ActionContext,
) => readonly Entry[] | Promise<readonly Entry[]>;

function onEntries(least: number, change: Change, ...takes: readonly Parameter[]): Action {
  return {
    takes: ['count', ...takes],
    appliesTo: (answer, scene) => isReadAnswer(answer, scene) && (listEntries(answer)?.length ?? -1) >= least,
    alter: async (answer, scene, keys) => {
      const entries = listEntries(answer) ?? [];
      const results = await change(entries, keys, scene);
      return withBody(answer, { count: (keys.count === 'all' ? entries : results).length, results });
    },
  };
}

function indexOf(entries: readonly Entry[], { entry = 'first' }: Keys, { draw }: ActionContext): number {
  const places = { first: 0, last: entries.length - 1, random: Math.floor(draw() * entries.length) };
  return places[entry];
}

/** Reads the entries of the same list from another offset. */
async function entriesFrom(
  { asked, read }: ActionContext,
  offset: (asked: number) => number,
): Promise<readonly Entry[]> {
  const { pathname, searchParams } = new URL(asked.url, 'http://localhost');
  searchParams.set('offset', String(offset(Number(searchParams.get('offset') ?? 0))));
  return listEntries(await read(`${pathname}?${searchParams}`)) ?? [];
}

const isLaterPage = ({ asked }: ActionContext): boolean =>
  !/[?&]offset=0*(&|$)/.test(asked.url) && /[?&]offset=/.test(asked.url);

const repeatPage = onEntries(0, (_, __, scene) => entriesFrom(scene, () => 0)) as Extract<Action, { alter: unknown }>;

/** Actions on lists: the faults of a cache, a replica or a careless gateway. */
export const lists = {
  'omit-entry': onEntries(
    1,
    (entries, keys, scene) => {
      const omitted = indexOf(entries, keys, scene);
      return entries.filter((_, index) => index !== omitted);
    },
    'entry',
  ),
  'repeat-entry': onEntries(
    1,
    (entries, keys, scene) => [...entries, entries[indexOf(entries, keys, scene)] ?? {}],
    'entry',
  ),
  reorder: onEntries(2, (entries) => entries.toReversed()),
  empty: onEntries(0, () => []),
  'swap-guids': onEntries(2, (entries) => {
    const [a = {}, b = {}] = entries.slice(-2);
    return [...entries.slice(0, -2), { ...a, guid: b.guid }, { ...b, guid: a.guid }];
  }),
  contradict: onEntries(1, (entries) => [...entries, { ...entries[0], name: 'Another' }]),
  /** Answers with the page after the requested one. */
  'omit-page': onEntries(1, (entries, _, scene) => entriesFrom(scene, (asked) => asked + entries.length)),
  /** Answers with the first page when a later one is requested. */
  'repeat-page': {
    ...repeatPage,
    appliesTo: (answer, scene, keys) => isLaterPage(scene) && repeatPage.appliesTo(answer, scene, keys),
  },
} as const satisfies Readonly<Record<string, Action>>;
