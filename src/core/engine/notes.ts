import { shellWord } from '#base/shell-word.js';
import { type Address, splitAddress } from '../model/address.js';
import { type JobRun, nameOfRuns, runNumbers } from '../model/job-state.js';
import { type JsonObject, sameJson } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { PartialImport, RecordedImport } from '../model/partial-imports.js';
import { copiesRemovedUnasked, type Note, type Plan, type Step, takenOverUnasked } from '../model/plan.js';
import type { Undone } from '../model/undone-imports.js';
import type { Bound } from './bind.js';
import type { Decision } from './decision.js';
import type { Facts } from './find-live.js';
import { normalForm } from './normal-form.js';
import { isNeverAdopted, judgeOwnership } from './ownership.js';
import type { PruneInput } from './prune.js';

/** Inputs of the notes of a plan. */
export interface NotesInput {
  readonly steps: readonly Step[];
  readonly bound: readonly Bound[];
  /** Decisions about the objects that manifests describe. */
  readonly changes: readonly Decision[];
  /** Addresses of this stack that are no longer in any manifest. */
  readonly left: readonly Address[];
  /** Those of `left` that a prune would remove; empty if this plan prunes. */
  readonly prunable: readonly Address[];
  readonly facts: Facts;
  readonly stack: string;
  /** Why objects are removed. */
  readonly why: PruneInput['why'];
  readonly kindNamed: (name: string) => Kind;
  /** Imports that were committed in part and that the plan is about, and those that were undone; none by default. */
  readonly partial?: readonly PartialImport[];
  readonly undone?: readonly (RecordedImport & Undone)[];
  readonly promoted?: Plan['promoted'];
}

/** Collects what a reader of a plan should know besides its steps. */
export const planNotes = (noting: NotesInput): Note[] => [
  ...destroyNote(noting),
  ...consentNote(takenOverUnasked(noting.steps)),
  ...copiesNote(copiesRemovedUnasked(noting.steps)),
  ...leftoverNote(noting.prunable, noting.promoted?.release),
  ...notOwnedNote(unownedObjects(noting)),
  ...renameNotes(noting),
  ...partialNotes(noting),
  ...undoneNotes(noting),
];

/** Explains a plan that removes everything that the stack owns, in manifests or not. */
function destroyNote({ why, stack, steps }: NotesInput): Note[] {
  if (why !== 'destroyed' || steps.length === 0) return [];
  const message =
    `This plan removes everything that stack "${stack}" created or adopted, whether or not it is in a manifest. ` +
    'Protected objects stay; imported data stays. The manifests are not changed: `dexsync apply` would create the objects again.';
  return [{ code: 'destroy', message, addresses: steps.map(({ address }) => address) }];
}

/** Lists objects that this stack did not create and that nobody has agreed to adopt yet. */
function consentNote(addresses: readonly Address[]): Note[] {
  if (addresses.length === 0) return [];
  const what =
    addresses.length === 1 ? 'object that this stack did not create' : 'objects that this stack did not create';
  const message =
    `This plan adopts or changes ${addresses.length} ${what}: ${listFirst(addresses)}. ` +
    'Apply asks for confirmation at a terminal; `--adopt` confirms in advance.';
  return [{ code: 'consent-needed', message, addresses }];
}

/** Lists copies that a creation left behind and that nobody has agreed to remove yet. */
function copiesNote(addresses: readonly Address[]): Note[] {
  if (addresses.length === 0) return [];
  const message =
    `This plan removes an unused copy of ${listFirst(addresses)}. ` +
    'Apply asks for confirmation at a terminal; `--remove-copies` confirms in advance.';
  return [{ code: 'consent-needed', message, addresses }];
}

/** Lists objects of this stack that no manifest describes, if nothing was requested for them. */
function leftoverNote(addresses: readonly Address[], release = 'any manifest'): Note[] {
  if (addresses.length === 0) return [];
  const [what, its, it] =
    addresses.length === 1 ? ['object of this stack is', 'its', 'it'] : ['objects of this stack are', 'their', 'them'];
  const message =
    `${addresses.length} ${what} no longer in ${release}: ${listFirst(addresses)}. ` +
    `\`--prune\` plans ${its} removal; \`dexsync forget\` keeps ${it}.`;
  return [{ code: 'left-over', message, addresses }];
}

/** Lists live objects that are as the manifests say, and that this stack would have to adopt to own them. */
function notOwnedNote(addresses: readonly Address[]): Note[] {
  if (addresses.length === 0) return [];
  const [what, it] = addresses.length === 1 ? ['object is', 'it'] : ['objects are', 'them'];
  const message =
    `${addresses.length} ${what} unchanged, but not owned by this stack: ${listFirst(addresses)}. ` +
    `\`--adopt\` adopts ${it}, so that drift is reported and \`--prune\` can remove ${it}.`;
  return [{ code: 'not-owned', message, addresses }];
}

/** Finds unchanged objects that are as their manifests say and that this stack does not own. */
function unownedObjects({ bound, changes, stack, kindNamed }: NotesInput): Address[] {
  const changing = new Set(changes.map(({ address }) => address));
  return bound.flatMap(({ manifest: { address, kind }, live, fact }) => {
    if (changing.has(address) || !('raw' in live)) return [];
    const known = kindNamed(kind);
    return isNeverAdopted(known, live.raw.name) || judgeOwnership(fact, live.raw, stack, known).is === 'own'
      ? []
      : [address];
  });
}

/** Lists imports with failed rows: they are not in the workspace, and no step of a plan sends them. */
const partialNotes = ({ partial = [], why }: NotesInput): Note[] =>
  (why === 'destroyed' ? [] : partial).map(({ address, job: { runs, at, rows }, committed }) => {
    const missing = rows - committed;
    const [are, them] = missing === 1 ? ['is', 'it'] : ['are', 'them'];
    const numbers = runNumbers(runs);
    const run = shellWord(String(numbers[0] ?? splitAddress(address).name));
    const message =
      `${address}: ${missing} of ${rows} rows ${are} not in the workspace (${runsText(runs)}${at.slice(0, 10)}). ` +
      `\`dexsync import errors ${run}\` shows why, \`dexsync import retry ${run}\` sends ${them} again once corrected, and ` +
      `\`dexsync import acknowledge ${run} --reason TEXT\` accepts that ${missing === 1 ? 'it stays' : 'they stay'} out.`;
    return {
      code: 'partly-imported',
      message,
      addresses: [address],
      partial: { runs: numbers, at, rows, committed },
    };
  });

/** Lists undone imports that no step sends again by itself, since the ledger has their content as committed. */
function undoneNotes({ undone = [], why, steps }: NotesInput): Note[] {
  const sent = new Set(steps.flatMap(({ action, address }) => (action === 'import' ? [address] : [])));
  const left = why === 'destroyed' ? [] : undone.filter(({ address }) => !sent.has(address));
  return left.map(({ address, job, undone: how, undoneBy = [] }) => {
    const run = nameOfRuns(job.runs) ?? 'its last run';
    const by = undoneBy.length === 0 ? '' : ` by ${undoneBy.map((number) => `#${number}`).join(', ')}`;
    const message =
      `${address}: ${run} was undone${how === 'whole' ? '' : ' in part'}${by}, so the workspace does not have its rows as the file does. ` +
      `They are sent again when the file changes, or now with \`--reimport ${shellWord(address)}\`.`;
    return { code: 'import-undone', message, addresses: [address] };
  });
}

const runsText = (runs: readonly JobRun[]): string => {
  const name = nameOfRuns(runs);
  return name === undefined ? '' : `${name}, `;
};

/** Suggests a rename for a new object that resembles one that is no longer in any manifest. */
function renameNotes({ changes, left, facts, kindNamed }: NotesInput): Note[] {
  const creations = changes.filter(({ action }) => action === 'create');
  return creations.flatMap((decision): Note[] => {
    const { kind, name } = splitAddress(decision.address);
    const wanted = (decision.fact as ObjectFact).applied;
    const alike = left.filter(
      (address) =>
        splitAddress(address).kind === kind &&
        isLike(kindNamed(kind), wanted, (facts.get(address) as ObjectFact).applied),
    );
    const [former] = alike;
    if (former === undefined || alike.length > 1) return [];
    const before = splitAddress(former).name;
    const message = `${decision.address} is created, and ${former}, which is no longer in any manifest, is similar. If it was renamed, add \`renamedFrom: ${before}\` to the metadata of "${name}".`;
    return [{ code: 'looks-renamed', message, addresses: [decision.address, former] }];
  });
}

/** Whether at least three of four named fields are equal. */
function isLike({ schema }: Kind, a: JsonObject, b: JsonObject): boolean {
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const same = (field: string): boolean => sameJson(normalField(schema, a, field), normalField(schema, b, field));
  const equal = fields.filter(same).length;
  return equal > 0 && equal * 4 >= fields.length * 3;
}

const normalField = (schema: Kind['schema'], spec: JsonObject, field: string) =>
  normalForm(schema.properties[field], spec[field] ?? null);

const MOST_LISTED = 5;

/** Lists the first few of many texts, for messages. */
export function listFirst(texts: readonly string[]): string {
  const more = texts.length - MOST_LISTED;
  const first = texts.slice(0, MOST_LISTED).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}
