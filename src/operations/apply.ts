import pLimit from 'p-limit';
import { applyPlan, type Outcomes } from '../apply/executor.js';
import { quotaGate } from '../apply/quota-gate.js';
import { type ManualSteps, summarise } from '../apply/summary.js';
import { type Connection, withConnection } from '../connection/connection.js';
import { type Recording, recording } from '../connection/recording.js';
import { withHint } from '../diagnostics.js';
import { DexsyncError } from '../errors.js';
import type { Host, ProjectOptions } from '../host.js';
import type { Job } from '../imports/job.js';
import type { RunningJob } from '../imports/run-job.js';
import type { Journal } from '../ledger/ledger.js';
import { splitAddress } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import { hasWrites, type Plan } from '../model/plan.js';
import type { PlanningOptions } from '../planning/planning-options.js';
import { selectManifests } from '../planning/select-manifests.js';
import { openProject } from '../project/project.js';
import type { Identities } from '../service/identities.js';
import { perform } from '../service/perform.js';
import type { Summary } from '../stream/events.js';
import { knownKind, planManifests, showPlan } from './plan.js';

export interface ApplyOptions extends ProjectOptions, PlanningOptions {
  /** Asked once, with the plan that was shown. Anything but true ends the operation without a write. */
  readonly confirm: (plan: Plan) => Promise<boolean>;
  readonly manual?: ManualSteps;
  /** How many steps may be under way at once. */
  readonly parallelism?: number;
}

const PARALLELISM = 8;
/** The service processes runs one after another; more at once would only wait, each with polls of its own. */
const IMPORTS_AT_ONCE = 4;

/** Plans and carries out exactly that plan. The summary is the last event; undefined where nobody confirmed. */
export async function apply(options: ApplyOptions, host: Host): Promise<Summary | undefined> {
  const { config, linked } = await openProject(options, host);
  const selection = selectManifests(linked, options);
  const recorded = recording('apply', options, config, host);
  return withConnection(config, { ...options, access: 'write' }, host, async (connection) => {
    const planned = await planManifests(config, selection, options, connection, host);
    try {
      const { plan } = planned;
      showPlan(plan, connection, host);
      if (!(await agreedTo(plan, options, connection, host))) return undefined;
      const { manual, parallelism } = options;
      const how = {
        ...(manual === undefined ? {} : { manual }),
        ...(parallelism === undefined ? {} : { parallelism }),
      };
      return await carryOut({ ...planned, identities: planned.seen.identities, recorded, ...how }, connection, host);
    } finally {
      await planned.release();
    }
  });
}

/** Asks, unless there is nothing to ask about. What was changed while somebody thought it over is not overwritten. */
export async function agreedTo(
  plan: Plan,
  { confirm, attended }: Pick<ApplyOptions, 'confirm' | 'attended'>,
  connection: Connection,
  host: Host,
): Promise<boolean> {
  if (!hasWrites(plan)) return true;
  if (!(await confirm(plan))) return false;
  if (attended === 'no') return true;
  const { refuseStale } = await import('../planfile/recheck.js');
  await refuseStale(plan, connection, host);
  return true;
}

/** A plan, and what turns its names into GUIDs and its imports into rows. */
export interface CarriedOut {
  readonly plan: Plan;
  readonly identities: Identities;
  readonly jobs: readonly Job[];
  readonly recorded: Recording;
  readonly manual?: ManualSteps;
  readonly parallelism?: number;
  /** `sent`: imports are posted and left to be gone on with. */
  readonly imports?: 'whole' | 'sent';
}

/** Performs the plan's steps with the journal of its workspace, and emits the summary. A plan without writes leaves no journal. */
export async function carryOut(planned: CarriedOut, connection: Connection, host: Host): Promise<Summary> {
  const rows = { committed: 0, failed: 0 };
  const outcomes = hasWrites(planned.plan) ? await performSteps(planned, connection, host, rows) : new Map();
  const summary = summarise(planned.plan, outcomes, rows, connection.client.usage, planned.manual);
  host.emit(summary);
  return summary;
}

async function performSteps(
  { plan, identities, jobs, recorded, parallelism = PARALLELISM, imports = 'whole' }: CarriedOut,
  connection: Connection,
  host: Host,
  rows: { committed: number; failed: number },
): Promise<Outcomes> {
  const { client: writer, ledger } = connection;
  const limit = pLimit(Math.min(parallelism, IMPORTS_AT_ONCE));
  const journal = await ledger.begin(plan, host.clock().toISOString(), await recorded.facts(plan, connection));
  try {
    return await applyPlan(plan, {
      ...host,
      journal,
      parallelism,
      mayBegin: told(
        quotaGate(
          jobs.map(({ facts }) => facts),
          connection,
          host,
        ),
        host,
      ),
      identityOf: ({ address }) => {
        const { kind, name } = splitAddress(address);
        return identities.identityNamed(kind, name);
      },
      perform: async (step, write, together) => {
        if (write.verb === 'record') return;
        if (write.verb !== 'import') return perform(step, write, { writer, identities, kindNamed: knownKind });
        const job = jobs.find(({ facts }) => facts.address === step.address);
        if (job === undefined) throw new DexsyncError('UNKNOWN_NAME', `${step.address} was not prepared.`);
        if (write.done !== undefined) return learn(job.facts, journal, host);
        const running = { writer, identities, journal, host, limit };
        await performImport(job, running, { imports, rows, together });
      },
    });
  } finally {
    await journal.close();
  }
}

interface Sending {
  readonly imports: 'whole' | 'sent';
  readonly rows: { committed: number; failed: number };
  readonly together: () => Promise<void>;
}

async function performImport(job: Job, running: RunningJob, { imports, rows, together }: Sending): Promise<void> {
  const { runJob, sendJob } = await import('../imports/run-job.js');
  if (imports === 'sent') return sendJob(job, running);
  const outcome = await runJob(job, running, together);
  const committed = outcome.outcome === 'committed' ? outcome.succeeded : 0;
  rows.committed += committed;
  // Rows that the service passed over in silence count as failed: every row sent is accounted for.
  rows.failed += outcome.outcome === 'committed' ? outcome.rows - committed : outcome.failed;
  if (outcome.outcome === 'rejected') throw rejected(outcome.reason);
}

/** Rows that another ledger knows of are entered in this one. */
async function learn({ address, key, state }: JobFacts, journal: Journal, host: Host): Promise<void> {
  if (state !== undefined)
    await journal.append({ type: 'job', at: host.clock().toISOString(), address, key, job: state });
}

/** The reason why an apply stops stands beside its steps, and is no failure of one of them. */
function told(gate: ReturnType<typeof quotaGate>, host: Host): ReturnType<typeof quotaGate> {
  let said = false;
  return (step) =>
    gate(step).catch((error: unknown) => {
      if (!said && error instanceof DexsyncError && error.code === 'QUOTA_EXHAUSTED') {
        said = true;
        host.emit({
          type: 'diagnostic',
          diagnostic: withHint({ severity: 'error', code: 'quota', message: error.message }, error.hint),
        });
      }
      throw error;
    });
}

const rejected = (reason: string): DexsyncError =>
  new DexsyncError('ROWS_REJECTED', `${reason} Nothing was committed.`, {
    hint: 'Correct the rows and run it again.',
  });
