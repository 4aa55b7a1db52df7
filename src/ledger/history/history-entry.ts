import { DexsyncError, reasonOf } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Address } from '#core/model/address.js';
import type { ApplyFacts } from '#core/model/apply-facts.js';
import { countSteps, type StepCounts } from '../counts.js';
import type { NumberedJournal } from '../ledger.js';
import { type ParsedJournal, parseJournal } from '../parse-journal.js';
import { type StepResult, stepResults } from '../step-results.js';
import { type JobResult, jobResults } from './job-results.js';

/** One apply as a line of the history. Times are ISO 8601 in UTC. */
export interface HistoryEntry {
  /** Its number for `history show`; 1 is the oldest apply of the workspace. */
  readonly number: number;
  /** The name of the journal that records it. */
  readonly journal: string;
  /** When it was begun; null if neither its first line, which is damaged, nor its file's name shows it. */
  readonly at: string | null;
  /** When it ended; null if it did not, or if that is not known. */
  readonly ended: string | null;
  /** `unfinished`: it is in progress, or was killed. `damaged`: a line of the journal cannot be read. */
  readonly state: 'ended' | 'unfinished' | 'damaged';
  /** What is damaged. */
  readonly damage?: string;
  /** Who, where, from what and why; null in journals of old versions, which did not record it. */
  readonly apply: ApplyFacts | null;
  /** Its steps by outcome; null if the damage hides them. */
  readonly counts: StepCounts | null;
  /** Rows of its imports. */
  readonly rows: { readonly committed: number; readonly failed: number };
  /** The result for the requested object. */
  readonly object?: Pick<StepResult, 'address' | 'action' | 'outcome' | 'message'>;
}

/** An entry with the parsed journal and the imports that it comes from. */
export interface SourcedEntry {
  readonly entry: HistoryEntry;
  readonly parsed: ParsedJournal;
  readonly jobs: readonly JobResult[];
}

/** Reads one journal; undefined if it did nothing with `address`. Damage is part of the entry, never thrown. */
export async function readEntry(journal: NumberedJournal, address?: Address): Promise<SourcedEntry | undefined> {
  const { number, name, begun } = journal;
  const read = await journalText(journal);
  if (address !== undefined && !read.text.includes(JSON.stringify(address))) return undefined;
  const parsed = parseJournal(read.text);
  const { at = begun ?? null, apply = null } = parsed;
  const object = address === undefined ? undefined : objectIn(parsed, address);
  if (address !== undefined && object === undefined && parsed.plan() !== undefined) return undefined;
  const end = parsed.records.findLast((record) => record.type === 'end');
  const damage = read.unreadable ?? damageOf(parsed, end?.counts);
  const jobs = jobResults(parsed.records);
  const sum = (key: 'committed' | 'failed'): number => jobs.reduce((total, job) => total + (job[key] ?? 0), 0);
  const entry: HistoryEntry = {
    number,
    journal: name,
    at,
    ended: end?.at ?? null,
    state: damage !== undefined ? 'damaged' : end === undefined ? 'unfinished' : 'ended',
    ...omitUndefined({ damage }),
    apply,
    counts: end?.counts ?? (damage === undefined ? countsOf(parsed) : null),
    rows: { committed: sum('committed'), failed: sum('failed') },
    ...omitUndefined({ object }),
  };
  return { entry, parsed, jobs };
}

interface JournalText {
  readonly text: string;
  readonly unreadable?: string;
}

const journalText = (journal: NumberedJournal): Promise<JournalText> =>
  journal.text().then(
    (text) => ({ text }),
    (error: unknown) => ({ text: '', unreadable: `it cannot be read: ${reasonOf(causeOf(error))}` }),
  );

/** The cause without the journal's name, which the entry has already. */
const causeOf = (error: unknown): unknown =>
  error instanceof DexsyncError && error.cause !== undefined ? error.cause : error;

/** Parses the plan only if no counts were recorded. */
function damageOf(parsed: ParsedJournal, counts: StepCounts | undefined): string | undefined {
  const line = parsed.damaged ?? (counts === undefined && parsed.plan() === undefined ? 1 : undefined);
  return line === undefined ? undefined : `line ${line} is not a record`;
}

function countsOf(parsed: ParsedJournal): StepCounts | null {
  const made = parsed.plan();
  return made === undefined ? null : countSteps(stepResults(made, parsed));
}

function objectIn(parsed: ParsedJournal, address: Address): HistoryEntry['object'] {
  const made = parsed.plan();
  if (made === undefined) return undefined;
  const steps = made.steps.filter((step) => step.address === address);
  const [found] = stepResults({ ...made, steps }, parsed);
  if (found === undefined) return undefined;
  const { action, outcome, message } = found;
  return { address, action, outcome, ...omitUndefined({ message }) };
}
