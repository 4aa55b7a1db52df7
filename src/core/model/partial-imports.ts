import type { Acknowledgement } from './acknowledgement.js';
import type { Address } from './address.js';
import { groupBy } from './group-by.js';
import { importedFileSchema } from './imported-file.js';
import { type JobState, rowsInEffect, runNumbers } from './job-state.js';
import { nameSchema, type Shape, Type } from './schema.js';

/** The schema of `ImportFacts`. */
export const importFactsSchema = Type.Object(
  {
    stack: nameSchema('The stack that sent it.'),
    definition: nameSchema('The name of its definition.'),
    attributes: Type.Optional(
      Type.Record(Type.String(), nameSchema(), {
        description:
          'The identities of the custom attributes that its rows fill, by world and name, such as ITEMS:Finish.',
      }),
    ),
    file: Type.Optional(importedFileSchema),
    retries: Type.Optional(Type.String({ description: 'Digest of the content whose failed rows it sends again.' })),
    missing: Type.Optional(
      Type.Literal('due', {
        description: 'Records that its file does not have are deleted by an import of their own, which comes later.',
      }),
    ),
    undoes: Type.Optional(
      Type.Object(
        {
          key: Type.String({ description: 'Digest of the content that it undoes: the last commit of it.' }),
          left: Type.Integer({ minimum: 0, description: 'Rows of it that the undo leaves as they are, or in part.' }),
        },
        { description: 'What `dexsync import undo` undoes by it.' },
      ),
    ),
  },
  { description: 'Who sent an import, through which definition. Absent in records of earlier versions.' },
);

/** Who sent an import, through which definition, and the earlier content whose failed rows it sends again. */
export type ImportFacts = Shape<typeof importFactsSchema>;

/** The record of one content of an import. */
export interface RecordedImport {
  readonly address: Address;
  /** Digest of the content. */
  readonly key: string;
  readonly job: JobState;
  /** Earlier versions did not record them. */
  readonly facts?: ImportFacts;
}

/** A recorded import that was committed. */
export interface RecordedCommit extends RecordedImport {
  readonly job: Extract<JobState, { state: 'committed' }>;
}

/** A committed import with rows that did not take effect, and that no later import completed. */
export interface PartialImport extends RecordedCommit {
  /** Rows that took effect, by its own runs and by retries of it. */
  readonly committed: number;
  /** The service's numbers of the runs of its committed retries. */
  readonly retriedBy: readonly number[];
  /** Set if somebody accepted that the remaining rows stay out. */
  readonly acknowledgement?: Acknowledgement;
}

/**
 * Finds imports that were committed in part. Only the newest commit of an import through a definition counts: earlier
 * ones are out of date, including their failures. Rows that a retry committed count as rows of the original import,
 * through any number of retries.
 */
export function partialImports(
  recorded: readonly RecordedImport[],
  acknowledged: ReadonlyMap<Address, Acknowledgement>,
): PartialImport[] {
  const committed = recorded.filter(isCommitted);
  const roots = originals(committed);
  const latest = latestOf(committed, roots);
  const retries = retriesByOriginal(committed, roots);
  return latest
    .map((one) => partialImport(one, retries.get(one.key) ?? [], acknowledged.get(one.address)))
    .filter(({ job: { rows }, committed: done }) => done < rows);
}

const isCommitted = (one: RecordedImport): one is RecordedCommit => one.job.state === 'committed';

/** A commit of an import, then the commits of its retries in their order. */
export type ImportCommit = readonly [RecordedCommit, ...RecordedCommit[]];

/** The commits of an import, newest first; retries are grouped with the commit that they retry. */
export function importCommits(recorded: readonly RecordedImport[], address: Address): ImportCommit[] {
  const committed = recorded.filter(isCommitted).sort((one, other) => one.job.at.localeCompare(other.job.at));
  const roots = originals(committed);
  const retries = retriesByOriginal(committed, roots);
  return committed
    .filter((one) => one.address === address && roots.get(one.key) === one.key)
    .map((one): ImportCommit => {
      // The same content may have been sent again after a retry of it.
      const later = (retries.get(one.key) ?? []).filter(({ job }) => job.at >= one.job.at);
      return [one, ...later];
    })
    .reverse();
}

const retriesByOriginal = (
  committed: readonly RecordedCommit[],
  roots: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly RecordedCommit[]> =>
  groupBy(
    committed.filter(({ key }) => roots.get(key) !== key),
    ({ key }) => roots.get(key) ?? key,
  );

/** The last commit of each import through each definition, without its retries. */
export function latestCommits(recorded: readonly RecordedImport[]): RecordedImport[] {
  const committed = recorded.filter(isCommitted);
  return latestOf(committed, originals(committed));
}

function latestOf(committed: readonly RecordedCommit[], roots: ReadonlyMap<string, string>): RecordedCommit[] {
  const first = committed.filter(({ key }) => roots.get(key) === key);
  const newest = new Map<string, string>();
  for (const one of first) {
    for (const place of [one.address, placeOf(one)]) {
      if (one.job.at > (newest.get(place) ?? '')) newest.set(place, one.job.at);
    }
  }
  return first.filter((one) => replacing(one).every((place) => (newest.get(place) ?? '') <= one.job.at));
}

/** A key for an import through a definition; records of earlier versions do not name theirs. */
const placeOf = ({ address, facts }: RecordedCommit): string => `${address}\n${facts?.definition ?? ''}`;

/** The keys by which a later commit replaces this one: the same file may be sent through several definitions. */
const replacing = (one: RecordedCommit): string[] =>
  one.facts === undefined ? [one.address] : [placeOf(one), `${one.address}\n`];

/** Maps each key to the original that it retries, through any retries; to itself if it retries no known content. */
function originals(committed: readonly RecordedCommit[]): ReadonlyMap<string, string> {
  const byKey = new Map(committed.map((one) => [one.key, one]));
  const originalOf = (key: string, seen: ReadonlySet<string>): string => {
    const before = byKey.get(key)?.facts?.retries;
    if (before === undefined || !byKey.has(before) || seen.has(before)) return key;
    return originalOf(before, new Set([...seen, before]));
  };
  return new Map(committed.map(({ key }) => [key, originalOf(key, new Set([key]))]));
}

function partialImport(
  one: RecordedCommit,
  retries: readonly RecordedCommit[],
  acknowledgement: Acknowledgement | undefined,
): PartialImport {
  return {
    ...one,
    committed: [one, ...retries].reduce((sum, { job }) => sum + rowsInEffect(job), 0),
    retriedBy: retries.flatMap(({ job }) => runNumbers(job.runs)).sort((a, b) => a - b),
    ...(acknowledgement?.fingerprint === one.key ? { acknowledgement } : {}),
  };
}
