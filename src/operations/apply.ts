import { carryOut, type Manner, type ReadyPlan } from '../apply/carry-out.js';
import { gatherFacts } from '../connection/command-facts.js';
import { type Connection, withConnection } from '../connection/connection.js';
import type { Host, ProjectOptions } from '../host.js';
import type { Plan } from '../model/plan.js';
import { refuseOtherSteps } from '../planfile/as-reviewed.js';
import { type Ask, type Asking, isAgreed } from '../planfile/consent.js';
import { readTrustedPlan } from '../planfile/read-plan.js';
import { refuseElsewhere } from '../planfile/refuse-elsewhere.js';
import { type Approving, refuseUnreviewed, removeApplied, reviewedAgain, withReviewed } from '../planfile/reviews.js';
import { type Planned, showPlan, withPlan } from '../planning/plan-manifests.js';
import type { PlanningOptions } from '../planning/planning-options.js';
import { selectManifests } from '../planning/select-manifests.js';
import { openProject } from '../project/project.js';
import { openItemExports } from '../service/item-exports.js';
import type { Summary } from '../stream/event.js';

/** How to plan, whom to ask, and how to carry out. */
export interface ApplyOptions extends ProjectOptions, PlanningOptions, Approving, Omit<Manner, 'imports'> {
  /** A saved plan, a file or `ledger:NAME`: only a plan that does the same is carried out. */
  readonly reviewed?: string | undefined;
  /** What the history calls it; `apply` by default. */
  readonly recordedAs?: string;
  /** Asked once, with the plan that was shown. Anything but true ends the operation without a write. */
  readonly confirm: Ask<Plan>;
}

/** Plans and carries out exactly that plan. The summary is the last event; undefined where nobody confirmed. */
export async function apply(options: ApplyOptions, host: Host): Promise<Summary | undefined> {
  const { config, linked } = await openProject(options, host);
  const selection = selectManifests(linked, options, config.catalog);
  const recorded = gatherFacts(options.recordedAs ?? 'apply', options, config, host);
  const reviewed = options.reviewed === undefined ? undefined : await readTrustedPlan(options.reviewed, host, options);
  if (reviewed !== undefined) {
    await refuseElsewhere(reviewed, options.environment, config, host);
    refuseUnreviewed(reviewed, options);
  }
  return withConnection(config, { ...options, access: 'write' }, host, (connection) =>
    withPlan(
      { config, selection, options, connection, host, recorded, exports: openItemExports(connection.client) },
      async ({ plan, jobs, seen: { identities }, pages }) => {
        if (reviewed !== undefined) refuseOtherSteps(plan, reviewed, connection, host);
        const stored = reviewed === undefined ? undefined : await reviewedAgain(reviewed, options, connection);
        const { manual, doneIs, parallelism } = options;
        const facts = reviewed === undefined ? recorded : withReviewed(recorded, reviewed, stored);
        const ready = { plan, jobs, identities, recorded: facts, manual, doneIs, parallelism };
        const summary = await applyAgreed({ ...ready, pages }, options, connection, host);
        if (summary !== undefined) await removeApplied(stored, connection, config, host);
        return summary;
      },
    ),
  );
}

/** Shows a plan, asks, and carries it out; undefined where nobody agreed. */
export async function applyAgreed(
  ready: ReadyPlan & Pick<Partial<Planned>, 'pages'>,
  asking: Asking,
  connection: Connection,
  host: Host,
): Promise<Summary | undefined> {
  const { plan, pages, recorded } = ready;
  const { remaining } = connection.client.usage;
  const { planned } = recorded;
  const applier = planned === undefined ? undefined : { ...(await recorded.provenance(connection)), planned };
  showPlan({ ...plan, requests: { ...plan.requests, remaining } }, connection, host, pages, applier);
  return (await isAgreed(plan, asking, connection, host)) ? carryOut(ready, connection, host) : undefined;
}
