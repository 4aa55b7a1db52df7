import pLimit from 'p-limit';
import { DexsyncError } from '#base/errors.js';
import { withBase } from '#core/engine/field-base.js';
import { followRename } from '#core/engine/follow-renames.js';
import { type Address, splitAddress } from '#core/model/address.js';
import type { JobFacts } from '#core/model/job-facts.js';
import type { JsonObject } from '#core/model/json.js';
import type { LiveIdentity, ObjectFact } from '#core/model/object-fact.js';
import { hasWrites, type Plan, type Step } from '#core/model/plan.js';
import type { Summary } from '#core/stream/event.js';
import type { Job } from '#data/imports/job.js';
import type { RunJobContext } from '#data/imports/run-job.js';
import type { Journal } from '#ledger/ledger.js';
import type { CommandFacts } from '#project/connection/command-facts.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { collectionOf } from '#service/collection.js';
import { findCopies } from '#service/find-copies.js';
import type { Identities } from '#service/identities.js';
import type { WriteContext } from '#service/object-write.js';
import { perform, renameBack } from '#service/perform.js';
import { copiedFailure, copiesUnchecked, refuseBelowReserve } from './copies.js';
import { type ApplyPorts, applyPlan, type Outcomes } from './executor.js';
import type { ExitRule } from './exit-code.js';
import { type Failure, unrecordedEnd } from './failure.js';
import { type ClaimPorts, firstClaims, objectRecord } from './object-records.js';
import { quotaGate } from './quota-gate.js';
import { summarise } from './summary.js';

/** Options of an apply that its caller may choose. */
export interface Manner extends ExitRule {
  /** How many steps may run at once; by default 8 at first, and more while the service stays as fast. */
  readonly parallelism?: number | undefined;
  /** `sent`: imports are posted, and left to be resumed. */
  readonly imports?: 'whole' | 'sent';
}

/** A plan, with everything that turns its names into GUIDs and its imports into rows. */
export interface ReadyPlan extends Manner {
  readonly plan: Plan;
  readonly identities: Identities;
  readonly jobs: readonly Job[];
  readonly recorded: CommandFacts;
  /** The ledger's facts about objects before the plan. */
  readonly known?: ReadonlyMap<Address, ObjectFact>;
  /** Facts about objects that the plan does not touch, recorded once anything is written. */
  readonly learned?: readonly (readonly [Address, ObjectFact])[];
}

/** The service processes runs one after another: more would only wait, each with polls of its own. */
const IMPORTS_AT_ONCE = 4;

/**
 * Performs the steps of a plan with a journal, and emits the summary. A plan without writes has none, except that of a
 * release: the next stage of a chain asks whether it was here.
 */
export async function executePlan(ready: ReadyPlan, connection: Connection, host: Host): Promise<Summary> {
  const rows: RowCounts = { committed: 0, failed: 0 };
  let ledger: ExitRule['ledger'];
  const onUnrecorded: ApplyPorts['onUnrecorded'] = (error) => {
    ledger = 'behind';
    host.emit(unrecordedEnd(error));
  };
  const { records, promoted } = ready.plan;
  const isRecorded = hasWrites(ready.plan) || records !== undefined || promoted?.release !== undefined;
  const outcomes = isRecorded ? await performSteps(ready, connection, { ...host, onUnrecorded }, rows) : new Map();
  const summary = summarise(ready.plan, outcomes, rows, connection.client.usage, { ...ready, ledger });
  host.emit(summary);
  return summary;
}

/** Rows counted as imports end. */
interface RowCounts {
  committed: number;
  failed: number;
}

async function performSteps(
  ready: ReadyPlan,
  connection: Connection,
  host: Host & Pick<ApplyPorts, 'onUnrecorded'>,
  rows: RowCounts,
): Promise<Outcomes> {
  const { plan, identities, parallelism } = ready;
  const facts = ready.jobs.map((job) => job.facts);
  const claiming = {
    known: ready.known,
    clock: host.clock,
    guidOf: (address: Address, identity: LiveIdentity) => identities.withIdentity(splitAddress(address).kind, identity),
  };
  const journal = await beginJournal(ready, claiming, connection);
  const context = { identities, writer: connection.client, kindNamed: connection.catalog.knownKind };
  const created: Step[] = [];
  const write = performer(ready, journal, rows, connection, host);
  try {
    return await applyPlan(plan, {
      ...host,
      ...claiming,
      followers: followersBeside(ready, connection),
      journal,
      parallelism,
      mayBegin: quotaGate(facts, connection, host),
      lookForCopies: () => lookForCopies(created, context, connection, host),
      identityOf: ({ address }) => identityAt(address, identities),
      perform: async (step, one, together) => {
        const made = await write(step, one, together);
        if (one.verb === 'create') created.push(step);
        return made;
      },
      renameBack: (step, back, creation) => renameBack(step, back, creation, context),
    });
  } finally {
    await journal.close();
  }
}

/** Follows renames in the facts of objects that no step writes; each rename sees those before it. */
function followersBeside(
  { plan, known = new Map(), learned = [] }: ReadyPlan,
  { catalog }: Connection,
): ApplyPorts['followers'] {
  const written = new Set(plan.steps.filter(({ writes }) => writes.length > 0).map(({ address }) => address));
  const records = (plan.records ?? []).map(({ address, fact }) => [address, fact] as const);
  const others = new Map([...known, ...learned, ...records].filter(([address]) => !written.has(address)));
  return (step) => {
    const followed = followRename(step, known, others, catalog.schemaOf);
    for (const [address, fact] of followed) others.set(address, fact);
    return followed;
  };
}

function identityAt(address: Address, identities: Identities): LiveIdentity | undefined {
  const { kind, name } = splitAddress(address);
  return identities.identityNamed(kind, name);
}

/** Records the plan, what its writes may create, and what reading the workspace showed. */
async function beginJournal(
  { plan, recorded, learned = [] }: ReadyPlan,
  claiming: ClaimPorts,
  connection: Connection,
): Promise<Journal> {
  const at = claiming.clock().toISOString();
  const claims = plan.steps.flatMap((step) => firstClaims(step, claiming));
  const others = (plan.records ?? []).map(({ address, fact }) => [address, fact] as const);
  const objects = [...learned, ...others].map(([address, object]) => objectRecord(address, object, claiming));
  return connection.ledger.begin(plan, at, await recorded.facts(plan, connection), [...claims, ...objects]);
}

async function lookForCopies(
  created: readonly Step[],
  context: WriteContext,
  reserve: Pick<Connection, 'client' | 'keepRequests'>,
  host: Host,
): Promise<ReadonlyMap<Address, Failure>> {
  try {
    const found = await findCopies(created, context, (lists) => refuseBelowReserve(lists, reserve));
    return new Map([...found].map(([address, copied]) => [address, copiedFailure(copied)]));
  } catch (error) {
    host.emit(copiesUnchecked(error));
    return new Map();
  }
}

function performer(
  { identities, jobs, imports = 'whole', parallelism = IMPORTS_AT_ONCE }: ReadyPlan,
  journal: Journal,
  rows: RowCounts,
  { client: writer, catalog }: Connection,
  host: Host,
): ApplyPorts['perform'] {
  const limit = pLimit(Math.min(parallelism, IMPORTS_AT_ONCE));
  return async (step, write, together) => {
    if (write.verb === 'record') return undefined;
    if (write.verb !== 'import') {
      const context = { writer, identities, kindNamed: catalog.knownKind };
      return madeFact(step, await perform(step, write, context), context);
    }
    const job = jobs.find(({ facts }) => facts.address === step.address);
    if (job === undefined) throw new Error(`${step.address} was not prepared.`);
    if (write.done !== undefined) await learn(job.facts, journal, host);
    else await performImport(job, { writer, identities, journal, host, limit }, { imports, rows, together });
    return undefined;
  };
}

/** Returns the fact about a new object, with the values that the service filled in. */
function madeFact(
  { address, fact }: Step,
  seen: JsonObject | undefined,
  { writer, kindNamed }: WriteContext,
): ObjectFact | undefined {
  if (seen === undefined || fact === undefined || fact === null) return undefined;
  const kind = kindNamed(splitAddress(address).kind);
  const children = Object.fromEntries(Object.keys(kind.children).map((field) => [field, []]));
  const can = collectionOf(writer, kind.collection).can ?? {};
  return withBase(kind, can, fact, { before: fact, seen: { ...seen, ...children } });
}

interface Sending {
  readonly imports: 'whole' | 'sent';
  readonly rows: RowCounts;
  readonly together: () => Promise<void>;
}

async function performImport(job: Job, running: RunJobContext, { imports, rows, together }: Sending): Promise<void> {
  const { runJob, sendJob } = await import('#data/imports/run-job.js');
  if (imports === 'sent') return sendJob(job, running);
  const outcome = await runJob(job, running, together);
  const committed = outcome.outcome === 'committed' ? outcome.succeeded - (outcome.verified?.missing ?? 0) : 0;
  rows.committed += committed;
  // Rows that the service skipped silently, or that are missing, count as failed: every row is accounted for.
  rows.failed += outcome.outcome === 'committed' ? outcome.rows - committed : outcome.failed;
  if (outcome.outcome === 'rejected') throw rowsRejection(outcome.reason);
}

/** Records rows in this ledger that another one knows. */
async function learn({ address, key, state, sent }: JobFacts, journal: Journal, host: Host): Promise<void> {
  if (state !== undefined)
    await journal.append({ type: 'job', at: host.clock().toISOString(), address, key, job: state, facts: sent });
}

const rowsRejection = (reason: string): DexsyncError =>
  new DexsyncError('ROWS_REJECTED', `${reason} Nothing was committed.`, {
    hint: 'Correct the rows, then repeat the command.',
  });
