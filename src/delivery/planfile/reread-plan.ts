import type { SpoolFolder } from '#base/files/spool-folder.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { type Stale, staleObjects } from '#core/engine/stale-objects.js';
import { type Unsettled, unsettledSteps } from '#core/engine/unsettled-steps.js';
import { addressOf } from '#core/model/address.js';
import type { Observation } from '#core/model/observation.js';
import type { Plan } from '#core/model/plan.js';
import type { Job } from '#data/imports/job.js';
import type { RunHistory } from '#data/imports/run-history.js';
import type { LedgerState } from '#ledger/fold.js';
import type { Config } from '#project/config/load-config.js';
import type { Connection } from '#project/connection/connection.js';
import { createObserver } from '#project/connection/observer.js';
import type { Host } from '#project/host.js';
import type { Identities } from '#service/identities.js';
import type { ItemExports } from '#service/item-exports.js';
import { observe } from '#service/observe.js';
import { appliedBefore, leadingTo, otherWorkspace } from './plan-errors.js';
import type { SavedPlan } from './read-plan.js';
import type { RecheckJobsInput } from './recheck-jobs.js';
import { refuseIfStale } from './refuse-stale.js';
import { touchedBy } from './touched.js';

/** Everything needed to apply a saved plan, and the changes that make it stale. */
export interface Rechecked {
  readonly jobs: readonly Job[];
  readonly identities: Identities;
  readonly stale: readonly Stale[];
  /** The ledger's facts about objects. */
  readonly known: LedgerState['objects'];
}

/**
 * Reads again what a saved plan touches. With `exports`, rows that were compared by an export are compared by one
 * again. First refuses a plan of another workspace, or one that was applied.
 */
export async function rereadPlan(
  { file, plan }: SavedPlan,
  config: Config,
  connection: Connection,
  spool: SpoolFolder,
  host: Host,
  exports?: ItemExports,
): Promise<Rechecked> {
  const { workspace, ledger } = connection;
  if (workspace.identity !== plan.workspace.identity) throw otherWorkspace(file, plan, leadingTo(connection));
  const applied = await ledger.applyOf(plan.nonce);
  if (applied !== undefined) throw appliedBefore(file, plan, applied);
  const { observation, identities, state, stale } = await lookAgain(plan, connection, host);
  const history = async () =>
    (await import('#data/imports/run-history.js')).runHistory(connection.client, identities, state);
  const jobs = await jobsOf(
    plan,
    {
      config,
      plan,
      observation,
      state,
      reader: connection.client,
      identities,
      spool,
      host,
      ...omitUndefined({ exports }),
    },
    history,
  );
  return { identities, known: state.objects, ...jobs, stale: [...stale, ...jobs.stale] };
}

/** Reads again what a plan touches, and finds the objects that are not as the plan saw them. */
async function lookAgain(plan: Plan, connection: Connection, host: Host) {
  const { observation, identities, state, now } = await readTouched(plan, connection, host);
  identities.remember(state.guids);
  chooseOwn(observation, state.objects, identities);
  return { observation, identities, state, stale: staleObjects(plan, now) };
}

async function readTouched(plan: Plan, connection: Connection, host: Host) {
  const { ledger, catalog } = connection;
  const state = await ledger.state();
  const { observation, identities } = await observe(touchedBy(plan, catalog), createObserver(connection, host));
  return {
    ...{ observation, identities, state },
    now: { observation, facts: state.objects, kindNamed: catalog.kindNamed },
  };
}

/** Reads what an applied plan touched, and finds what is not as its apply left it. */
export const rereadApplied = async (plan: Plan, connection: Connection, host: Host): Promise<readonly Unsettled[]> =>
  unsettledSteps(plan, (await readTouched(plan, connection, host)).now);

/** Throws PLAN_STALE if an object that a plan touches was edited while somebody took time to agree to it. */
export async function refuseStale(plan: Plan, connection: Connection, host: Host): Promise<void> {
  const { stale } = await lookAgain(plan, connection, host);
  refuseIfStale(plan, stale, 'Nothing was sent. Run the command again and review the new plan.', host);
}

/** Chooses, among objects with the same name, the one that the ledger knows. */
function chooseOwn({ objects }: Observation, facts: LedgerState['objects'], identities: Identities): void {
  for (const [kind, live] of objects) {
    for (const { name, identity } of live) {
      if (facts.get(addressOf(kind, name))?.identity === identity) identities.choose(kind, name, identity);
    }
  }
}

/** Rechecks the imports of a plan. Loads the readers of tables only if there are any. */
async function jobsOf(plan: Plan, input: Omit<RecheckJobsInput, 'history'>, history: () => Promise<RunHistory>) {
  const imports = plan.steps.some(({ writes }) => writes.some(({ verb }) => verb === 'import'));
  if (!imports) return { jobs: [], stale: [] };
  const { recheckJobs } = await import('./recheck-jobs.js');
  return recheckJobs({ ...input, history: await history() });
}
