import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Secrets, secretsOfUrl } from '#base/secrets.js';
import type { Backend } from '../backend.js';
import { folderOf } from '../document-store.js';
import { isFolderOf } from '../journal-name.js';
import { listWorkspaces } from '../journal-origin.js';
import type { SeenStore } from '../last-seen.js';
import type { LeaseTiming } from '../lease-life.js';
import type { MachineHeads } from '../machine-head.js';
import { Branch } from './branch.js';
import { gitDocuments } from './git-documents.js';
import { withoutPassword } from './git-failure.js';
import { gitLeases } from './git-leases.js';
import { gitStore } from './git-store.js';
import { rootsIn } from './journal-files.js';
import { type HeldLeases, renewLeases } from './lease-files.js';
import { findRemote, type Remote } from './remote.js';
import { openRepository } from './repository.js';

/** The branch, and where git keeps what it fetched. */
export interface GitBackendOptions extends LeaseTiming {
  readonly remote: string;
  readonly branch: string;
  /** The folder of the project, whose remotes and credentials are used. */
  readonly project: string;
  /** The folder of dexsync's data. */
  readonly data: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Receives the credentials that git logs in with. */
  readonly secrets?: Secrets;
  /** Milliseconds for which records that need not be pushed at once are buffered. */
  readonly patience?: number;
  /** Where this machine keeps the heads of ledgers. */
  readonly heads?: MachineHeads;
  /** `yes`: for a command that settles a loss; see write-batch.ts. */
  readonly goesOnAfterLoss?: boolean | undefined;
}

const PATIENCE = 15_000;

/** Keeps ledgers and locks in a branch of a git repository on any forge. Fetches nothing before it is needed. */
export async function gitBackend(options: GitBackendOptions): Promise<Backend> {
  const { remote: name, branch: branchName, project, data, variables, secrets, ...others } = options;
  const { patience = PATIENCE, heads, goesOnAfterLoss, ...timing } = others;
  secrets?.add(...secretsOfUrl(name));
  const remote = await findRemote(name, project, variables);
  secrets?.add(...secretsOfUrl(remote.url), ...remote.settings.flatMap(secretsOfSetting));
  const held: HeldLeases = new Map();
  const folder = join(data, 'git', `${folderFor(remote, branchName)}.git`);
  const branch: Branch = new Branch({
    remote,
    branch: branchName,
    repository: () => openRepository({ remote, branch: branchName, folder, variables, author: authorOf(variables) }),
    clock: timing.clock,
    goesOnAfterLoss,
    renew: (tip) => renewLeases(held, tip, timing),
  });
  const place = `branch ${branchName} of ${withoutPassword(remote.url)}`;
  return {
    place,
    leases: gitLeases(branch, held, timing),
    journals: (identity, mayWrite) =>
      gitStore({ branch, identity, mayWrite, patience, machine: heads?.(place, `${place} ${identity}`) }),
    workspaces: async (id) => {
      const identities = [...rootsIn(await branch.tip())].filter((root) => isFolderOf(root, id));
      const readOnly = { branch, mayWrite: async () => undefined, patience };
      return listWorkspaces(identities.map((identity) => gitStore({ ...readOnly, identity })));
    },
    documents: (shelf) => gitDocuments(branch, shelf),
    seen: (stack, environment) => gitSeen(branch, stack, environment),
    close: () => branch.close(),
  };
}

function gitSeen(branch: Branch, stack: string, environment: string): SeenStore {
  const path = `${folderOf('seen', stack, environment)}.json`;
  return {
    async read() {
      const tip = await branch.tip();
      return tip.has(path) ? (await tip.read([path]))[0] : undefined;
    },
    write: (text) =>
      branch.change({
        subject: `${environment}: what stack ${stack} saw`,
        // A branch begins with an apply.
        edits: async (tip) => (tip.commit === undefined ? [] : [{ path, text }]),
      }),
  };
}

const folderFor = ({ url }: Remote, branch: string): string =>
  createHash('sha256').update(`${url} ${branch}`).digest('hex').slice(0, 16);

/** `http.….extraheader` is `AUTHORIZATION: basic …`; `url.….insteadOf` may have a password in its name. */
const secretsOfSetting = ([name, value]: Remote['settings'][number]): string[] => [
  ...secretsOfUrl(name),
  ...(/\.extraheader$/i.test(name) ? value.split(/\s+/).slice(-1) : []),
];

/** Pipelines have no git identity; each commit says in its subject who did what. */
function authorOf({ GIT_COMMITTER_NAME, GIT_COMMITTER_EMAIL }: GitBackendOptions['variables']): string {
  const clean = (text: string): string => text.replaceAll(/[<>\n]/g, '');
  return `${clean(GIT_COMMITTER_NAME ?? 'dexsync')} <${clean(GIT_COMMITTER_EMAIL ?? `dexsync@${hostname()}`)}>`;
}
