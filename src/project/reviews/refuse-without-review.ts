import { DexsyncError } from '#base/errors.js';
import type { Config } from '../config/load-config.js';
import type { Host } from '../host.js';
import { findPolicies } from './find-policies.js';

/** Throws PLAN_UNAPPROVED for a write to an environment that only takes approved plans. */
export async function refuseWithoutReview(config: Config, environment: string, host: Host): Promise<void> {
  const now = host.clock().toISOString();
  const found = await findPolicies(config, [environment], { createdAt: now }, host);
  if (found === undefined) return;
  const command = host.command ?? 'This command';
  const what = `Environment "${environment}" only takes approved plans, as \`reviews\` of ${found.policies[0]?.source} asks for.`;
  throw new DexsyncError('PLAN_UNAPPROVED', `${what} ${command} would write to it without one.`, {
    hint: `Describe the change in manifests, save a plan with \`dexsync plan --env ${environment} --out ledger:NAME\`, have it approved with \`dexsync plan review\`, and apply it with \`dexsync apply --as-reviewed ledger:NAME\`.`,
  });
}
