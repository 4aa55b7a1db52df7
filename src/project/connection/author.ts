import { hostname, userInfo } from 'node:os';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Author } from '#ledger/stored-plan.js';
import type { Config } from '../config/load-config.js';
import { knownLogin } from '../config/workspace-place.js';
import type { Host } from '../host.js';
import { detectPipelineRun } from './pipeline-run.js';

/** The user of dexsync, without a login: commands that send no request to the service record it as well. */
export function currentAuthor(config: Config, environment: string | undefined, host: Host): Author {
  const login = knownLogin(config, environment, host.variables);
  return { ...omitUndefined({ login }), ...authorWithoutLogin(host) };
}

/** The user of dexsync where many logins are used: none of them says who it is. */
export function authorWithoutLogin({ variables, person }: Pick<Host, 'variables' | 'person'>): Author {
  if (person !== undefined) return { user: person, host: hostname() };
  const user = operatingUser();
  const ci = detectPipelineRun(variables);
  return { ...omitUndefined({ user, ci }), host: hostname() };
}

/** The user of the machine; undefined if it has no name, as in some containers. */
export function operatingUser(): string | undefined {
  user ??= [nameOfUser()];
  return user[0];
}

/** Looking it up takes reading the list of users. */
let user: readonly [string | undefined] | undefined;

function nameOfUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
