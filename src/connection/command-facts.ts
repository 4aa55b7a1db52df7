import { hostname } from 'node:os';
import type { Config } from '../config/load-config.js';
import { digestOfPlan } from '../engine/normal-form.js';
import type { Host, ProjectOptions } from '../host.js';
import type { ApplyFacts } from '../ledger/apply-facts.js';
import type { Plan } from '../model/plan.js';
import { operatingUser } from './author.js';
import type { Connection } from './connection.js';
import { askGit } from './git-facts.js';
import { pipelineRunOf } from './pipeline-run.js';

/** What the journal of a command will say of it. */
export interface CommandFacts {
  facts(plan: Plan, connection: Pick<Connection, 'login' | 'environment'>): Promise<ApplyFacts>;
}

/** Begun before anything is planned, so that git has answered by the time it matters. `command` is its name as it is typed. */
export function gatherFacts(command: string, { reason }: ProjectOptions, config: Config, host: Host): CommandFacts {
  const asked = askGit(config.folder, host.variables);
  return {
    async facts(plan, { login, environment }) {
      const git = await asked.answer();
      const ci = pipelineRunOf(host.variables);
      const user = operatingUser();
      return {
        command,
        ...(host.arguments === undefined ? {} : { arguments: host.arguments.map(withoutValue) }),
        environment,
        stack: plan.stack,
        actor: { login: login.email, ...(user === undefined ? {} : { user }) },
        host: hostname(),
        pid: process.pid,
        version: host.version,
        ...(git === undefined ? {} : { git }),
        ...(ci === undefined ? {} : { ci }),
        ...(reason === undefined ? {} : { reason }),
        digest: digestOfPlan(plan),
      };
    },
  };
}

/** `NAME=VALUE` without the value, which may be a secret: the history tells which variables were given, not what they held. */
const withoutValue = (argument: string): string =>
  argument.includes('://')
    ? argument.replaceAll(/(:\/\/)[^/\s]*@/g, '$1…@').replaceAll(/([?&]password=)[^&#\s]*/g, '$1…')
    : argument.replace(/^((?:--[\w-]+=)?[^-=][^=]*=).*$/s, '$1…');
