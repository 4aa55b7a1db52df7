import { hasWrites } from '#core/model/plan.js';
import type { Summary } from '#core/stream/event.js';
import { executePlan, type Manner, type ReadyPlan } from '#delivery/apply/execute-plan.js';
import { type Asking, isAgreed } from '#delivery/planfile/consent.js';
import type { Approving } from '#delivery/planfile/reviews.js';
import { type Planned, type PreparedPlan, showPlan, withPlan } from '#delivery/planning/plan-manifests.js';
import type { PlanningOptions } from '#delivery/planning/planning-options.js';
import { selectManifests } from '#delivery/planning/select-manifests.js';
import { unplannedFacts } from '#delivery/planning/unplanned-changes.js';
import { type Outside, refuseOutsideChain } from '#delivery/release/check-chain.js';
import { environmentPlace } from '#project/config/environment.js';
import { type CommandFacts, gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openProject } from '#project/project.js';
import { openItemExports } from '#service/item-exports.js';

/** How to plan, whom to ask, and how to apply. */
export interface ApplyOptions
  extends ProjectOptions,
    PlanningOptions,
    Approving,
    Outside,
    Pick<Asking, 'confirm' | 'requireAnswer'>,
    Omit<Manner, 'imports'> {
  /** The name of the command in the history; `apply` by default. */
  readonly recordedAs?: string;
}

/** Reads the manifests to plan. */
export async function prepareApply(options: ApplyOptions, host: Host): Promise<PreparedPlan> {
  const { config, linked } = await openProject(options, host);
  const selection = selectManifests(linked, options, config.catalog);
  const recorded = gatherFacts(options.recordedAs ?? 'apply', options, config, host);
  const base = { config, selection, options, host, recorded };
  return {
    config,
    recorded,
    requestFor: (connection) => ({ ...base, connection, exports: openItemExports(connection.client) }),
  };
}

/** Plans, and applies exactly that plan. The summary is the last event; returns undefined if nobody confirmed. */
export async function apply(options: ApplyOptions, host: Host): Promise<Summary | undefined> {
  const { config, recorded, requestFor } = await prepareApply(options, host);
  await refuseOutsideChain(config, environmentPlace(config, options.environment, host.variables).name, options, host);
  return withConnection(config, { ...options, access: 'write' }, host, (connection) =>
    withPlan(requestFor(connection), (planned) =>
      applyAgreed(readyFrom(planned, options, recorded), options, connection, host),
    ),
  );
}

/** Makes a plan of this process ready to apply. */
export function readyFrom(
  { plan, jobs, pages, seen, input }: Planned,
  { manual, doneIs, parallelism }: ApplyOptions,
  recorded: CommandFacts,
): ReadyPlan & Pick<Planned, 'pages'> {
  const learned = hasWrites(plan) ? unplannedFacts(input, plan) : [];
  return {
    plan,
    jobs,
    pages,
    identities: seen.identities,
    known: input.facts,
    learned,
    recorded,
    manual,
    doneIs,
    parallelism,
  };
}

/** Shows a plan, asks, and applies it; returns undefined if nobody agreed. */
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
  return (await isAgreed(plan, asking, connection, host)) ? executePlan(ready, connection, host) : undefined;
}
