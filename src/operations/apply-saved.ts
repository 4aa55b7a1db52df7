import { refuseUnasked } from '../connection/confirmation.js';
import { withConnection } from '../connection/connection.js';
import { recording } from '../connection/recording.js';
import type { Host } from '../host.js';
import { planAgain, tellStale } from '../planfile/plan-errors.js';
import { readTrustedPlan } from '../planfile/read-plan.js';
import { recheck } from '../planfile/recheck.js';
import { openConfig } from '../project/project.js';
import type { Summary } from '../stream/events.js';
import { type ApplyOptions, agreedTo, carryOut } from './apply.js';
import { showPlan } from './plan.js';

export interface ApplySavedOptions
  extends Pick<ApplyOptions, 'config' | 'environment' | 'reason' | 'attended' | 'confirm' | 'manual' | 'parallelism'> {
  readonly file: string;
}

/** Carries out exactly the plan of a file, or nothing of it. Reads no manifest (design, section 6). */
export async function applySaved(options: ApplySavedOptions, host: Host): Promise<Summary | undefined> {
  const saved = await readTrustedPlan(options.file, host);
  const { plan } = saved;
  refuseUnasked(plan, options.attended ?? 'yes');
  const config = await openConfig(options, host);
  const recorded = recording('apply', options, config, host);
  const environment = options.environment ?? plan.environment;
  return withConnection(config, { ...options, environment, access: 'write' }, host, async (connection) => {
    const { stale, release, ...rechecked } = await recheck(saved, config, connection, host);
    try {
      tellStale(plan, stale, planAgain(saved.file), host);
      const { remaining } = connection.client.usage;
      showPlan({ ...plan, requests: { ...plan.requests, remaining } }, connection, host);
      if (!(await agreedTo(plan, options, connection, host))) return undefined;
      const { manual, parallelism } = options;
      const how = {
        ...(manual === undefined ? {} : { manual }),
        ...(parallelism === undefined ? {} : { parallelism }),
      };
      return await carryOut({ plan, ...rechecked, ...how, recorded }, connection, host);
    } finally {
      await release();
    }
  });
}
