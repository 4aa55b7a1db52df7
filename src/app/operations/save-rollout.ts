import { appendFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DexsyncError, type ErrorCode } from '#base/errors.js';
import { readLines } from '#base/files/json-lines.js';
import { refuseOtherFile } from '#base/files/refuse-other-file.js';
import { replaceFile } from '#base/files/replace-file.js';
import { withSpool } from '#base/files/spool-folder.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { JsonObject } from '#core/model/json.js';
import type { GitFacts } from '#core/model/provenance.js';
import type { FleetPlan } from '#delivery/fleet/group-plans.js';
import { ROLLOUT, rolloutFileText } from '#delivery/fleet/rollout-file.js';
import { rolloutSettings } from '#delivery/fleet/rollout-settings.js';
import { storeRollout } from '#delivery/fleet/store-rollout.js';
import { isCanary, spreadOverWaves } from '#delivery/fleet/waves.js';
import { withNotifier } from '#delivery/notify/notifier.js';
import { savedRolloutNotice } from '#delivery/notify/seen.js';
import { nameInLedger } from '#delivery/planfile/plan-reference.js';
import { seal, sealPlan, warnOfPlanKey } from '#delivery/planfile/seal-plan.js';
import {
  ROLLOUT_FORMAT,
  type Rollout,
  type RolloutTarget,
  rolloutDigest,
  rolloutKeys,
} from '#ledger/stored-rollout.js';
import { dataFolder } from '#project/config/environment.js';
import type { FleetSettings } from '#project/config/fleet-schema.js';
import type { Config } from '#project/config/load-config.js';
import { fleetEnvironments, fleetNamed } from '#project/config/select-environments.js';
import { authorWithoutLogin } from '#project/connection/author.js';
import { askGit } from '#project/connection/git-facts.js';
import { withRollouts } from '#project/connection/rollouts-of.js';
import type { Host } from '#project/host.js';
import { withSharing } from '#project/once.js';
import { openConfig } from '#project/project.js';
import { planBase } from '#project/reviews/find-policies.js';
import { mayNeedReviews } from '#project/reviews/may-need-reviews.js';
import { databaseOf } from './open-fleets.js';
import { type PlanFleetOptions, planFleet } from './plan-fleet.js';

/** A fleet to plan, and where to save the rollout. */
export interface SaveRolloutOptions extends PlanFleetOptions {
  /** A file, or `ledger:NAME`. */
  readonly out: string;
}

/** A saved rollout. */
export interface RolloutSaved {
  readonly plan: FleetPlan;
  /** The environments of each wave. */
  readonly waves: readonly (readonly string[])[];
  /** The command that applies it; absent if nothing was saved, since no environment could be planned. */
  readonly command?: string;
}

/** Plans a fleet, and saves the plans of all its environments so that exactly they can be applied, wave by wave. */
export const planFleetInto = (options: SaveRolloutOptions, outer: Host): Promise<RolloutSaved> =>
  withSharing(outer, (host) => saveRollout(options, host));

async function saveRollout(options: SaveRolloutOptions, host: Host): Promise<RolloutSaved> {
  const { out, ...planning } = options;
  warnOfPlanKey(host);
  const config = await openConfig(options, host);
  const fleet = fleetNamed(options.fleet, config);
  const settings = await rolloutSettings(fleet);
  if (fleet.workers === true) await databaseOf(options.fleet, { config, host });
  const { canary } = fleet;
  const names = await fleetEnvironments(options.fleet, config, host.clock());
  if (canary !== undefined && !names.some((name) => isCanary(name, canary))) throw noCanary(options.fleet, canary);
  const git = await gitOf(config, host);
  const place = await placeOf(out, names, config, host);
  return withSpool(dataFolder(config), async (spool) => {
    const file = join(await spool.path(), 'plans');
    const targets: Omit<RolloutTarget, 'wave'>[] = [];
    // Two pieces that are appended at once could mix.
    let written: Promise<void> = Promise.resolve();
    const plan = await planFleet(
      {
        ...planning,
        onPlan: async (made, group) => {
          const sealed = sealPlan(made, host);
          written = written.then(() => appendFile(file, `${JSON.stringify(sealed)}\n`));
          await written;
          const { environment, workspace } = made;
          targets.push({ environment, group, plan: sealed.digest, workspace: workspace.identity });
        },
      },
      host,
    );
    if (targets.length === 0 && plan.problems.length > 0) return { plan, waves: [] };
    refuseWithoutCanary(fleet, plan);
    const rollout = rolloutOf({ options, config, plan, settings, targets, git }, host);
    await place.save(rollout, targets.length === 0 ? noPlans : () => readLines(file));
    const name = nameInLedger(out);
    const environments = rollout.targets.map(({ environment }) => environment);
    if (name !== undefined && environments.length > 0)
      await withNotifier(config, host, ({ say }) => say(savedRolloutNotice(name, options.fleet, environments)));
    return { plan, waves: wavesOf(rollout), command: `dexsync fleet apply ${out}` };
  });
}

async function* noPlans(): AsyncGenerator<string> {}

/** The commit that a rollout comes from, where signed approvals are asked for. */
async function gitOf(config: Config, host: Host): Promise<GitFacts | undefined> {
  if (!mayNeedReviews(config, host)) return undefined;
  const [facts, base] = await Promise.all([askGit(config.folder, host.variables).answer(), planBase(config, host)]);
  return facts && { ...facts, ...base };
}

interface Making {
  readonly options: SaveRolloutOptions;
  readonly config: Config;
  readonly plan: FleetPlan;
  readonly settings: Awaited<ReturnType<typeof rolloutSettings>>;
  readonly targets: readonly Omit<RolloutTarget, 'wave'>[];
  readonly git: GitFacts | undefined;
}

function rolloutOf({ options, config, plan, settings, targets, git }: Making, host: Host): Rollout {
  const {
    fleet,
    reason,
    release: _,
    override: __,
    onPlanned: ___,
    onPlan: ____,
    out: _____,
    config: ______,
    ...planning
  } = options;
  const { release } = plan;
  const known = new Map(targets.map((target) => [target.environment, target]));
  const environments = Object.keys(config.environments).filter((name) => known.has(name));
  const waves = spreadOverWaves(environments, fleetNamed(fleet, config));
  const facts: Omit<Rollout, 'digest'> = {
    format: ROLLOUT_FORMAT,
    id: host.nonce(),
    ...{ stack: config.stack, fleet, at: host.clock().toISOString() },
    author: authorWithoutLogin(host),
    ...omitUndefined({ release, reason, git }),
    settings: settings(environments.length),
    planning: JSON.parse(JSON.stringify(planning)) as JsonObject,
    targets: environments.flatMap((name) => {
      const target = known.get(name);
      return target === undefined ? [] : [{ ...target, wave: waves.get(name) ?? 0 }];
    }),
    shown: JSON.parse(JSON.stringify(plan)) as JsonObject,
  };
  host.secrets.refuse(JSON.stringify(facts), 'The rollout');
  return { ...facts, ...seal(rolloutDigest(facts), host.variables) };
}

function wavesOf({ targets }: Rollout): string[][] {
  const waves: string[][] = [];
  for (const { wave, environment } of targets) waves[wave] = [...(waves[wave] ?? []), environment];
  return waves;
}

/** Throws if the canary could not be planned: the others must not begin without it. */
function refuseWithoutCanary({ canary }: Pick<FleetSettings, 'canary'>, { fleet, problems }: FleetPlan): void {
  const failed = canary === undefined ? undefined : problems.find(({ environment }) => isCanary(environment, canary));
  if (failed === undefined) return;
  const { code, message, environment } = failed;
  throw new DexsyncError(
    code as ErrorCode,
    `The canary "${environment}" of the fleet ${fleet} cannot be planned: ${message}`,
    {
      hint: failed.hint ?? 'Nothing was saved. `dexsync fleet plan` without `--out` shows all plans.',
    },
  );
}

/** Where a rollout is saved. Throws if it cannot be, before a request is spent on it. */
async function placeOf(out: string, environments: readonly string[], config: Config, host: Host) {
  const name = nameInLedger(out);
  if (name === undefined) {
    const path = resolve(host.cwd, out);
    const check = (): Promise<void> =>
      refuseOtherFile({ path, file: out, what: 'rollout', isMeant: (text) => ROLLOUT.test(text) });
    await check();
    return {
      save: (rollout: Rollout, plans: () => AsyncIterable<string>) =>
        replaceFile(path, rolloutFileText(rollout, plans()), { mayReplace: check, newMode: 0o600 }),
    };
  }
  await withRollouts(config, environments, host, async ({ rollouts }) => {
    if ((await rolloutKeys(rollouts)).some((key) => key.name === name)) throw nameTaken(name);
  });
  return {
    save: (rollout: Rollout, plans: () => AsyncIterable<string>) =>
      withRollouts(config, environments, host, (found) => storeRollout(rollout, name, plans, found)),
  };
}

const noCanary = (fleet: string, canary: string): DexsyncError =>
  new DexsyncError('CONFIG_INVALID', `The fleet ${fleet} has no environment that its \`canary\` "${canary}" means.`, {
    hint: 'Name environments of the fleet there, with commas, or patterns such as `test-*`.',
  });

const nameTaken = (name: string): DexsyncError =>
  new DexsyncError('USAGE', `The ledger already has a rollout "${name}", which is not replaced.`, {
    hint: 'Choose another name; `dexsync fleet status` shows the rollout of a fleet.',
  });
