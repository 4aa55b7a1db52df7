import { hostname } from 'node:os';
import { omitUndefined } from '#base/omit-undefined.js';
import { digestOfPlan } from '#core/engine/normal-form.js';
import type { ApplyFacts, PlannedFacts } from '#core/model/apply-facts.js';
import type { Plan } from '#core/model/plan.js';
import type { Provenance } from '#core/model/provenance.js';
import type { Config } from '../config/load-config.js';
import type { Host, ProjectOptions } from '../host.js';
import { once } from '../once.js';
import { operatingUser } from './author.js';
import { askGit } from './git-facts.js';
import { detectPipelineBranch, detectPipelineRun } from './pipeline-run.js';
import type { ReachedWorkspace } from './reached-workspace.js';

/** Facts about the author of a plan, and about the command that applies it, for its journal. */
export interface CommandFacts {
  provenance(connection: Pick<ReachedWorkspace, 'login'>): Promise<Provenance>;
  /** The plan that was saved or reviewed before, if one is applied. */
  readonly planned?: PlannedFacts;
  facts(plan: Plan, connection: Pick<ReachedWorkspace, 'login' | 'environment'>): Promise<ApplyFacts>;
}

/** Called before planning, so that git has answered when it matters. `command` is its name as it is typed. */
export function gatherFacts(command: string, { reason }: ProjectOptions, config: Config, host: Host): CommandFacts {
  const asked = once(host, ['git', config.folder], () => askGit(config.folder, host.variables));
  const provenance: CommandFacts['provenance'] = async ({ login }) => {
    const git = await asked.answer();
    const branch = git?.branch ?? detectPipelineBranch(host.variables);
    const ci = detectPipelineRun(host.variables);
    const user = operatingUser();
    return {
      actor: { login: login.email, ...omitUndefined({ user }) },
      ...(git === undefined ? {} : { git: { ...git, ...omitUndefined({ branch }) } }),
      ...omitUndefined({ ci }),
    };
  };
  return {
    provenance,
    facts: async (plan, connection) => ({
      command,
      ...(host.arguments === undefined
        ? {}
        : { arguments: host.arguments.map((argument) => host.secrets.redact(withoutValue(argument))) }),
      environment: connection.environment,
      stack: plan.stack,
      ...(await provenance(connection)),
      host: hostname(),
      pid: process.pid,
      version: host.version,
      ...omitUndefined({ reason }),
      digest: digestOfPlan(plan),
    }),
  };
}

/** Removes the value of `NAME=VALUE`, which may be secret: the history shows only the names of variables. */
const withoutValue = (argument: string): string =>
  argument.includes('://')
    ? argument.replaceAll(/(:\/\/)[^/\s]*@/g, '$1…@').replaceAll(/([?&]password=)[^&#\s]*/g, '$1…')
    : argument.replace(/^((?:--[\w-]+=)?[^-=][^=]*=).*$/s, '$1…');
