import { DexsyncError } from '#base/errors.js';
import type { Config } from '#project/config/load-config.js';
import { findWorkspacePlace, type WorkspacePlace } from '#project/config/workspace-place.js';
import { knownWorkspace } from '#project/connection/known-workspace.js';
import type { Host } from '#project/host.js';
import { otherWorkspace } from './plan-errors.js';
import type { SavedPlan } from './read-plan.js';

/**
 * Throws PLAN_OTHER_WORKSPACE if the chosen environment is known, without a request, to lead to another workspace than
 * the plan: before any question, login or other message. Facts that only a login reveals are checked right after it.
 */
export async function refuseElsewhere(
  { file, plan }: Pick<SavedPlan, 'file' | 'plan'>,
  chosen: string | undefined,
  config: Config,
  { variables }: Pick<Host, 'variables'>,
): Promise<void> {
  if (chosen === plan.environment && !Object.hasOwn(config.environments, chosen)) throw unknownHere(file, chosen);
  const place = findWorkspacePlace(config, chosen, variables);
  const there = await identityOf(place, config);
  const meant = plan.workspace.identity;
  const isThere = there === undefined ? place.database === undefined || meant.startsWith(EMBEDDED) : there === meant;
  if (isThere) return;
  throw otherWorkspace(file, plan, { environment: place.environment, leadsTo: there ?? 'an embedded workspace' });
}

const EMBEDDED = 'embedded/';

/** Recalls only embedded workspaces: a service's remembered workspace may be that of another user by now. */
const identityOf = async (place: WorkspacePlace, config: Config): Promise<string | undefined> =>
  place.database === undefined ? place.identity : knownWorkspace(config, place);

const unknownHere = (file: string, environment: string): DexsyncError =>
  new DexsyncError(
    'UNKNOWN_NAME',
    `${file} is a plan for environment "${environment}", which the configuration does not have.`,
    {
      hint: 'Run the command where the plan was created, or add the environment; `--env` names another one that leads to the same workspace.',
    },
  );
