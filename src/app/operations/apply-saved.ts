import { EXIT } from '#base/errors.js';
import { withSpool } from '#base/files/spool-folder.js';
import type { Stale } from '#core/engine/stale-objects.js';
import type { Summary } from '#core/stream/event.js';
import { readUnlessApplied } from '#delivery/planfile/applied-name.js';
import { refuseUnasked } from '#delivery/planfile/consent.js';
import { appliedBefore, planAgain } from '#delivery/planfile/plan-errors.js';
import type { SavedPlan } from '#delivery/planfile/read-plan.js';
import { refuseElsewhere } from '#delivery/planfile/refuse-elsewhere.js';
import { refuseIfStale } from '#delivery/planfile/refuse-stale.js';
import { rereadPlan } from '#delivery/planfile/reread-plan.js';
import { type Approving, removeApplied, reviewedAgain, withReviewed } from '#delivery/planfile/reviews.js';
import { warnOfPlanKey } from '#delivery/planfile/seal-plan.js';
import { admitPlan } from '#delivery/release/check-chain.js';
import { dataFolder } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import { type CommandFacts, gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { openItemExports } from '#service/item-exports.js';
import { type ApplyOptions, applyAgreed } from './apply.js';

/** How to apply a saved plan. */
export interface CarryOutOptions
  extends Approving,
    Pick<
      ApplyOptions,
      | 'config'
      | 'environment'
      | 'reason'
      | 'outsideChain'
      | 'attended'
      | 'confirm'
      | 'requireAnswer'
      | 'manual'
      | 'doneIs'
      | 'parallelism'
    > {
  /** @internal Whether the ledger keeps a plan that was applied in part, so that `applyReviewed` finishes it. */
  readonly keep?: 'in part';
}

/** Whether each step of an apply was done. */
export const isWhole = (summary: Summary | undefined): boolean =>
  summary !== undefined &&
  summary.exitCode !== EXIT.interrupted &&
  summary.failed + summary.unknown + summary.skipped === 0;

/** A saved plan, and how to apply it. */
export interface ApplySavedOptions extends CarryOutOptions {
  /** A file, or `ledger:NAME`. */
  readonly file: string;
}

/** Applies exactly the saved plan, or nothing of it. Reads no manifest (design, section 6). */
export async function applySaved(options: ApplySavedOptions, host: Host): Promise<Summary | undefined> {
  const { file } = options;
  // A rollout has warned of it already.
  if (options.group === undefined) warnOfPlanKey(host);
  const saved = await readUnlessApplied(file, host, options);
  if ('isEnded' in saved) throw appliedBefore(file, saved.plan, saved);
  const { plan } = saved;
  const config = await openConfig(options, host);
  const environment = options.environment ?? plan.environment;
  await refuseElsewhere(saved, environment, config, host);
  options.requireAnswer?.();
  const approving = await admitPlan(saved, environment, options, config, host);
  refuseUnasked(plan, options);
  const recorded = gatherFacts('apply', options, config, host);
  const refuse = (stale: readonly Stale[]) => {
    refuseIfStale(plan, stale, planAgain(file, plan), host);
    return 'fresh' as const;
  };
  return withConnection(
    config,
    { ...options, environment, access: 'write', isReviewed: true },
    host,
    async (connection) => {
      const result = await applySavedPlan(saved, { ...approving, config, recorded, refuse }, connection, host);
      return result === 'stale' ? undefined : result;
    },
  );
}

/** How to apply a saved plan over a connection. */
export interface SavedPlanContext extends Omit<CarryOutOptions, 'config'> {
  readonly config: Config;
  readonly recorded: CommandFacts;
  /** Throws, or decides whether the plan is stale, given everything that has changed since. */
  readonly refuse: (stale: readonly Stale[]) => 'fresh' | 'stale';
}

/** Applies a saved plan over a connection; applies nothing if `refuse` returns `stale`. */
export const applySavedPlan = (
  saved: SavedPlan,
  { config, recorded, refuse, ...options }: SavedPlanContext,
  connection: Connection,
  host: Host,
): Promise<Summary | undefined | 'stale'> =>
  withSpool(dataFolder(config), async (spool) => {
    const passed = await reviewedAgain(saved, options, connection, host);
    const exports = openItemExports(connection.client);
    const { stale, jobs, identities, known } = await rereadPlan(saved, config, connection, spool, host, exports);
    if (refuse(stale) === 'stale') return 'stale';
    const { manual, doneIs, parallelism } = options;
    const facts = withReviewed(recorded, saved, passed);
    const ready = { plan: saved.plan, jobs, identities, known, recorded: facts, manual, doneIs, parallelism };
    const summary = await applyAgreed(ready, options, connection, host);
    if (summary !== undefined && (options.keep !== 'in part' || isWhole(summary)))
      await removeApplied(passed.stored, connection, config, host);
    return summary;
  });
