import { withSpool } from '#base/files/spool-folder.js';
import type { Stale } from '#core/engine/stale.js';
import type { Summary } from '#core/stream/event.js';
import { readUnlessApplied } from '#delivery/planfile/applied-name.js';
import { refuseUnasked } from '#delivery/planfile/consent.js';
import { appliedBefore, planAgain, refuseIfStale } from '#delivery/planfile/plan-errors.js';
import type { SavedPlan } from '#delivery/planfile/read-plan.js';
import { recheck } from '#delivery/planfile/recheck.js';
import { refuseElsewhere } from '#delivery/planfile/refuse-elsewhere.js';
import {
  type Approving,
  refuseUnreviewed,
  removeApplied,
  reviewedAgain,
  withReviewed,
} from '#delivery/planfile/reviews.js';
import { dataFolder } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import { type CommandFacts, gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { openItemExports } from '#service/item-exports.js';
import { type ApplyOptions, applyAgreed } from './apply.js';

/** How a saved plan is carried out. */
export interface CarryOutOptions
  extends Approving,
    Pick<
      ApplyOptions,
      | 'config'
      | 'environment'
      | 'reason'
      | 'attended'
      | 'confirm'
      | 'requireAnswer'
      | 'manual'
      | 'doneIs'
      | 'parallelism'
    > {}

/** A saved plan, and how it is carried out. */
export interface ApplySavedOptions extends CarryOutOptions {
  /** Or `ledger:NAME`. */
  readonly file: string;
}

/** Carries out exactly the plan that was saved, or nothing of it. Reads no manifest (design, section 6). */
export async function applySaved(options: ApplySavedOptions, host: Host): Promise<Summary | undefined> {
  const { file } = options;
  const saved = await readUnlessApplied(file, host, options);
  if ('ended' in saved) throw appliedBefore(file, saved.plan, saved);
  const { plan } = saved;
  const config = await openConfig(options, host);
  const environment = options.environment ?? plan.environment;
  await refuseElsewhere(saved, environment, config, host);
  options.requireAnswer?.();
  refuseUnreviewed(saved, options);
  refuseUnasked(plan, options.attended ?? 'yes');
  const recorded = gatherFacts('apply', options, config, host);
  const refuse = (stale: readonly Stale[]) => {
    refuseIfStale(plan, stale, planAgain(file, plan), host);
    return 'fresh' as const;
  };
  return withConnection(config, { ...options, environment, access: 'write' }, host, async (connection) => {
    const result = await carryOutSaved(saved, { ...options, config, recorded, refuse }, connection, host);
    return result === 'stale' ? undefined : result;
  });
}

/** How a saved plan is carried out over a connection. */
export interface CarryingOut extends Omit<CarryOutOptions, 'config'> {
  readonly config: Config;
  readonly recorded: CommandFacts;
  /** Throws, or says whether anything that the plan saw is not so any more. */
  readonly refuse: (stale: readonly Stale[]) => 'fresh' | 'stale';
}

/** The same over a connection. A plan that is stale, and not refused for that, is left. */
export const carryOutSaved = (
  saved: SavedPlan,
  { config, recorded, refuse, ...options }: CarryingOut,
  connection: Connection,
  host: Host,
): Promise<Summary | undefined | 'stale'> =>
  withSpool(dataFolder(config), async (spool) => {
    const stored = await reviewedAgain(saved, options, connection);
    const exports = openItemExports(connection.client);
    const { stale, jobs, identities, known } = await recheck(saved, config, connection, spool, host, exports);
    if (refuse(stale) === 'stale') return 'stale';
    const { manual, doneIs, parallelism } = options;
    const facts = withReviewed(recorded, saved, stored);
    const ready = { plan: saved.plan, jobs, identities, known, recorded: facts, manual, doneIs, parallelism };
    const summary = await applyAgreed(ready, options, connection, host);
    if (summary !== undefined) await removeApplied(stored, connection, config, host);
    return summary;
  });
