import { shellWord } from '#base/shell-word.js';
import { type Address, splitAddress } from '../model/address.js';
import { type JobRun, nameOfRuns, runNumbers } from '../model/job-state.js';
import type { PartialImport, RecordedImport } from '../model/partial-imports.js';
import { copiesRemovedUnasked, type Note, type Plan, type Step, takenOverUnasked } from '../model/plan.js';
import type { Undone } from '../model/undone-imports.js';
import type { Bound } from './bind.js';
import { isNeverAdopted, judgeOwnership } from './ownership.js';
import type { PruneInput } from './prune.js';
import { type SuggestionInput, suggestRenames } from './suggest-renames.js';

/** Inputs of the notes of a plan. */
export interface NotesInput extends SuggestionInput {
  readonly steps: readonly Step[];
  readonly bound: readonly Bound[];
  /** Those of `left` that a prune would remove; empty if this plan prunes. */
  readonly prunable: readonly Address[];
  readonly stack: string;
  /** Why objects are removed. */
  readonly why: PruneInput['why'];
  /** Imports that were committed in part and that the plan is about, and those that were undone; none by default. */
  readonly partial?: readonly PartialImport[];
  readonly undone?: readonly (RecordedImport & Undone)[];
  readonly promoted?: Plan['promoted'];
}

/** Collects what a reader of a plan should know besides its steps. */
export const planNotes = (noting: NotesInput): Note[] => [
  ...destroyNote(noting),
  ...consentNote(takenOverUnasked(noting.steps), noting.promoted?.release),
  ...copiesNote(copiesRemovedUnasked(noting.steps)),
  ...leftoverNote(noting.prunable, noting.promoted?.release),
  ...notOwnedNote(unownedObjects(noting)),
  ...suggestRenames(noting),
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

/** Lists objects that this stack did not create, or that no release brought, and that nobody has agreed to take yet. */
function consentNote(addresses: readonly Address[], release?: string): Note[] {
  if (addresses.length === 0) return [];
  const what = addresses.length === 1 ? 'object' : 'objects';
  const whose = release === undefined ? 'that this stack did not create' : 'that no release brought here before';
  const message =
    `This plan adopts or changes ${addresses.length} ${what} ${whose}: ${listFirst(addresses)}. ` +
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

const MOST_LISTED = 5;

/** Lists the first few of many texts, for messages. */
export function listFirst(texts: readonly string[]): string {
  const more = texts.length - MOST_LISTED;
  const first = texts.slice(0, MOST_LISTED).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}
