import type { Action, ActionContext, Answer } from './action.js';
import { type Entry, listEntries, parseSingle, randomGuid, withBody } from './answers.js';
import type { Keys, Parameter } from './keys.js';

type Change = (object: Entry, scene: ActionContext, keys: Keys) => Entry | Promise<Entry>;

const onObject = (change: Change, ...takes: readonly Parameter[]): Action => ({
  takes,
  appliesTo: (answer) => parseSingle(answer) !== undefined,
  alter: async (answer, scene, keys) => withBody(answer, await change(parseSingle(answer) ?? {}, scene, keys)),
});

/** Actions on answers that show objects: of reads, or of writes that create or change one. */
export const objects = {
  'say-nothing': onObject(() => ({})),
  'guid-alone': onObject(({ guid }) => ({ guid })),
  'foreign-guid': onObject((object, { draw }, { guid }) => ({ ...object, guid: guid ?? randomGuid(draw) }), 'guid'),
  'another-object': onObject(async (object, scene) => ({ ...object, ...(await readAnotherObject(object, scene)) })),
  'omit-fields': {
    takes: ['fields'],
    appliesTo: isOfObjects,
    alter: (answer, _, { fields = [] }) => inObjects(answer, (object) => without(object, fields)),
  },
  'set-fields': {
    takes: ['set'],
    appliesTo: isOfObjects,
    alter: (answer, _, { set = {} }) => inObjects(answer, (object) => withFields(object, set)),
  },
} as const satisfies Readonly<Record<string, Action>>;

/** Reads another object of the same collection: the last one. */
async function readAnotherObject({ guid }: Entry, { asked, read }: ActionContext): Promise<Entry> {
  const collection = asked.method === 'POST' ? asked.path : asked.path.replace(/\/[^/]*$/, '');
  const entries = listEntries(await read(collection)) ?? [];
  return entries.findLast((entry) => entry.guid !== guid) ?? {};
}

function isOfObjects(answer: Answer): boolean {
  return listEntries(answer) !== undefined || parseSingle(answer) !== undefined;
}

/** Changes the object of an answer, or each entry of its list. */
function inObjects(answer: Answer, change: (object: Entry) => Entry): Answer {
  const entries = listEntries(answer);
  if (entries === undefined) return withBody(answer, change(parseSingle(answer) ?? {}));
  return withBody(answer, { count: entries.length, results: entries.map(change) });
}

const without = (object: Entry, fields: readonly string[]): Entry =>
  Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));

const withFields = (object: Entry, set: Entry): Entry =>
  Object.fromEntries(Object.entries({ ...object, ...set }).filter(([field]) => set[field] !== null));
