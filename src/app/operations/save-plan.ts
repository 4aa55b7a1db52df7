import { resolve } from 'node:path';
import { throwAsDisk } from '#base/files/disk-error.js';
import { refuseOtherFile } from '#base/files/refuse-other-file.js';
import { replaceFile } from '#base/files/replace-file.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { shellWord } from '#base/shell-word.js';
import { digestOfChanges } from '#core/engine/changes-digest.js';
import type { JsonObject } from '#core/model/json.js';
import type { Plan } from '#core/model/plan.js';
import type { GitFacts } from '#core/model/provenance.js';
import { withNotifier } from '#delivery/notify/notifier.js';
import { savedPlanNotice } from '#delivery/notify/seen.js';
import { type EarlierVerdict, earlierVerdicts } from '#delivery/planfile/earlier-verdicts.js';
import { nameInLedger } from '#delivery/planfile/plan-reference.js';
import { sealPlan, signPlan, warnOfPlanKey } from '#delivery/planfile/seal-plan.js';
import { digestText } from '#delivery/planfile/signature.js';
import { usablePlans } from '#delivery/planfile/waiting-plans.js';
import { planTaken } from '#ledger/document-store.js';
import { changeLog, storedPlanText } from '#ledger/stored-plan.js';
import { currentAuthor } from '#project/connection/author.js';
import { withPlans } from '#project/connection/plans-of.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { planBase } from '#project/reviews/find-policies.js';
import { mayNeedReviews } from '#project/reviews/may-need-reviews.js';
import { type PlanOptions, plan } from './plan.js';

/** How to plan, and where to save the plan. */
export interface SavePlanOptions extends PlanOptions {
  /** The file to save the plan to, or `ledger:NAME`; or several such places, all with the same plan. */
  readonly out: string | readonly [string, ...string[]];
}

/** A saved plan. */
export interface PlanSaved {
  readonly plan: Plan;
  /** The command that applies it from the first of these places. */
  readonly command: string;
  /** Signed verdicts on plans that waited in the ledger before, and whether they hold for this one. */
  readonly verdicts: readonly EarlierVerdict[];
}

/** A place for a plan. */
interface Target {
  /** Throws if the plan cannot be saved there, before a request is spent on it. */
  check(): Promise<void>;
  save(text: string): Promise<void>;
}

/** Plans, and saves the plan so that exactly it can be applied later. Signs it if the pipeline has a key. */
export const planInto = (options: SavePlanOptions, host: Host): Promise<PlanSaved> =>
  savePlan(options, host, () => plan(options, host));

/** Saves the plan that `make` returns; calls it only if a plan can be saved. */
export async function savePlan(
  options: ProjectOptions & Pick<SavePlanOptions, 'out'>,
  host: Host,
  make: () => Promise<Plan>,
): Promise<PlanSaved> {
  const { out, environment } = options;
  const places = new Set([out].flat());
  const targets = [...places].map((place) => targetOf(place, options, host));
  for (const target of targets) await target.check();
  warnOfPlanKey(host);
  const base = await planBase(await openConfig(options, host), host);
  const made = withGitFacts(await make(), base);
  const text = `${JSON.stringify(await signPlan(sealPlan(made, host), host), undefined, 1)}\n`;
  for (const target of targets) await target.save(text);
  const [first = ''] = places;
  const names = [...places].flatMap((place) => nameInLedger(place) ?? []);
  if (made.steps.length > 0) for (const name of names) await announce(name, made, options, host);
  // A file contains its environment.
  const isFile = nameInLedger(first) === undefined;
  const where = isFile || environment === undefined ? '' : ` --env ${shellWord(environment)}`;
  const verdicts = names.length > 0 ? await verdictsBefore(made, options, host) : [];
  return { plan: made, command: `dexsync apply ${shellWord(first)}${where}`, verdicts };
}

function targetOf(place: string, options: ProjectOptions, host: Host): Target {
  const name = nameInLedger(place);
  return name === undefined ? fileTarget(place, host) : ledgerTarget(name, options, host);
}

const withGitFacts = (plan: Plan, facts: Pick<GitFacts, 'base' | 'user'>): Plan =>
  plan.provenance?.git === undefined
    ? plan
    : { ...plan, provenance: { ...plan.provenance, git: { ...plan.provenance.git, ...facts } } };

const verdictsBefore = (made: Plan, options: ProjectOptions, host: Host): Promise<readonly EarlierVerdict[]> =>
  withPlans(options, host, async ({ plans, config }) => {
    const changes = digestText(digestOfChanges(made));
    return mayNeedReviews(config, host)
      ? earlierVerdicts(made, changes, await usablePlans(plans, config.catalog, host))
      : [];
  });

/** Says to people that a plan waits for their review. */
async function announce(
  name: string,
  { environment, steps }: Plan,
  options: ProjectOptions,
  host: Host,
): Promise<void> {
  const config = await openConfig(options, host);
  await withNotifier(config, host, ({ say }) => say(savedPlanNotice(name, environment, steps.length)));
}

function fileTarget(file: string, { cwd }: Host): Target {
  const path = resolve(cwd, file);
  const check = (): Promise<void> => refuseOtherFile({ path, file, what: 'plan', isMeant: (text) => PLAN.test(text) });
  return {
    check,
    save: (text) =>
      replaceFile(path, text, { mayReplace: check, newMode: OWN }).catch((error: unknown) =>
        throwAsDisk(error, `The plan file ${file}`),
      ),
  };
}

/** Checks the ledger before and after planning: somebody else may take the name meanwhile. */
const ledgerTarget = (name: string, options: ProjectOptions, host: Host): Target => ({
  check: () =>
    withPlans(options, host, async ({ plans }) => {
      if ((await plans.names()).includes(name)) throw planTaken(name);
    }),
  save: (text) =>
    withPlans(options, host, ({ config, environment, plans }) => {
      const author = currentAuthor(config, environment, host);
      const { reason } = options;
      const entry = {
        at: host.clock().toISOString(),
        author,
        ...omitUndefined({ reason }),
        plan: JSON.parse(text) as JsonObject,
      };
      return plans.add(name, storedPlanText(entry), changeLog('saved', author));
    }),
});

/** Readable by its owner alone, since a plan shows how a workspace is set up. */
const OWN = 0o600;

/** The beginning of a saved plan of any version. */
const PLAN = /^\s*\{\s*"format":\s*"dexsync-plan\//;
