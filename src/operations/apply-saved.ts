import { dataFolder } from '../config/environment.js';
import { gatherFacts } from '../connection/command-facts.js';
import { withConnection } from '../connection/connection.js';
import { withSpool } from '../files/spool-folder.js';
import type { Host } from '../host.js';
import { refuseUnasked } from '../planfile/consent.js';
import { planAgain, refuseIfStale } from '../planfile/plan-errors.js';
import { readTrustedPlan } from '../planfile/read-plan.js';
import { recheck } from '../planfile/recheck.js';
import { refuseElsewhere } from '../planfile/refuse-elsewhere.js';
import { type Approving, refuseUnreviewed, removeApplied, reviewedAgain, withReviewed } from '../planfile/reviews.js';
import { openConfig } from '../project/project.js';
import { openItemExports } from '../service/item-exports.js';
import type { Summary } from '../stream/event.js';
import { type ApplyOptions, applyAgreed } from './apply.js';

/** A saved plan, and how it is carried out. */
export interface ApplySavedOptions
  extends Approving,
    Pick<
      ApplyOptions,
      'config' | 'environment' | 'reason' | 'attended' | 'confirm' | 'manual' | 'doneIs' | 'parallelism'
    > {
  /** Or `ledger:NAME`. */
  readonly file: string;
}

/** Carries out exactly the plan that was saved, or nothing of it. Reads no manifest (design, section 6). */
export async function applySaved(options: ApplySavedOptions, host: Host): Promise<Summary | undefined> {
  const saved = await readTrustedPlan(options.file, host, options);
  const { plan } = saved;
  const config = await openConfig(options, host);
  const environment = options.environment ?? plan.environment;
  await refuseElsewhere(saved, environment, config, host);
  refuseUnreviewed(saved, options);
  refuseUnasked(plan, options.attended ?? 'yes');
  const recorded = gatherFacts('apply', options, config, host);
  return withConnection(config, { ...options, environment, access: 'write' }, host, (connection) =>
    withSpool(dataFolder(config), async (spool) => {
      const stored = await reviewedAgain(saved, options, connection);
      const { stale, jobs, identities } = await recheck(
        saved,
        config,
        connection,
        spool,
        host,
        openItemExports(connection.client),
      );
      refuseIfStale(plan, stale, planAgain(saved.file, plan), host);
      const { manual, doneIs, parallelism } = options;
      const ready = {
        plan,
        jobs,
        identities,
        recorded: withReviewed(recorded, saved, stored),
        manual,
        doneIs,
        parallelism,
      };
      const summary = await applyAgreed(ready, options, connection, host);
      if (summary !== undefined) await removeApplied(stored, connection, config, host);
      return summary;
    }),
  );
}
