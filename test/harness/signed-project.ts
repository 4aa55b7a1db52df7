import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atEnd } from './at-end.js';
import { bareRepository, git } from './git.js';
import { type TestProject, testProject, type Variables } from './test-project.js';
import { type TestWorkspace, testWorkspace } from './test-workspace.js';

const run = promisify(execFile);

/** A person with an SSH key. */
export interface Person {
  readonly name: string;
  /** The file of the private key. */
  readonly key: string;
  /** `ssh-ed25519 AAAA…` */
  readonly publicKey: string;
}

/** Makes keys with `ssh-keygen`, as people do. */
export async function people<const N extends string>(...names: readonly N[]): Promise<Record<N, Person>> {
  const folder = await mkdtemp(join(tmpdir(), 'dexsync-keys-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const all = names.map(async (name): Promise<[string, Person]> => {
    const key = join(folder, name);
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
    return [name, { name, key, publicKey: (await readFile(`${key}.pub`, 'utf8')).trim() }];
  });
  return Object.fromEntries(await Promise.all(all)) as Record<N, Person>;
}

/** A line of allowed signers for verdicts of a person. */
export const signerLine = ({ name, publicKey }: Person, options = ''): string =>
  `${name}@example.com namespaces="dexsync-review@v1"${options} ${publicKey}\n`;

/** A project in git with a remote, whose production environment asks for signed approvals. */
export interface SignedProject {
  readonly project: TestProject;
  readonly workspace: TestWorkspace;
  readonly remote: string;
  /** What commands need to log in to production. */
  readonly variables: Variables;
  /** Runs a command as a person, who signs with the own key. */
  as(
    who: Person,
    others?: Variables,
  ): (...args: string[]) => Promise<{ code: number | null; out: string; err: string; text: string }>;
  /** Commits all files, and pushes them to the branch of the remote. */
  push(branch?: string): Promise<void>;
  config(reviews: string): Promise<void>;
}

const CONFIG = `stack: test
manifests: [manifests]
environments:
  prod: { url: "\${env.TEST_URL}", production: true }
  dev: { url: "\${env.TEST_URL}" }
`;

/** Puts a project into git with a remote, and asks for signed approvals there. */
export async function protectProject(
  project: TestProject,
  signers: readonly Person[],
  reviews: string,
): Promise<Pick<SignedProject, 'remote' | 'push' | 'config'>> {
  const remote = await bareRepository();
  const before = await project.read('sync.config.yaml');
  const config = (section: string): Promise<void> =>
    project.write('sync.config.yaml', `${before}${section === '' ? '' : `reviews: ${section}\n`}`);
  await config(reviews);
  await project.write('allowed_signers', signers.map((one) => signerLine(one)).join(''));
  await project.write('.gitignore', '.dexsync/\n*.json\n');
  await git(project.folder, 'init', '--quiet', '-b', 'main');
  await git(project.folder, 'remote', 'add', 'origin', remote);
  const push = async (branch = 'main'): Promise<void> => {
    await git(project.folder, 'add', '--all');
    await git(project.folder, 'commit', '--quiet', '--allow-empty', '--message', 'change');
    await git(project.folder, 'push', '--quiet', '--force', 'origin', `HEAD:${branch}`);
  };
  await push();
  return { remote, push, config };
}

/** The variables of a person who signs. */
export const variablesOf = ({ name, key }: Person): Variables => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_ACTOR: name,
  DEXSYNC_REVIEW_KEY: key,
});

export async function signedProject(
  files: Readonly<Record<string, string>>,
  signers: readonly Person[],
  reviews = '{ required: 1 }',
): Promise<SignedProject> {
  const workspace = await testWorkspace();
  const project = await testProject({ ...files, 'sync.config.yaml': CONFIG });
  const protecting = await protectProject(project, signers, reviews);
  const own = { ...environmentsOf(workspace), DEXSYNC_ENV: 'prod' };
  return {
    ...{ project, workspace, ...protecting, variables: own },
    as: (who, others = {}) => {
      const variables = { ...own, ...variablesOf(who), ...others };
      return async (...args) => {
        const { code, out, err } = await project.run(args, variables);
        return { code, out, err, text: `${out}${err}`.replaceAll(/\d{4}-\d\d-\d\d (at )?[\d:]+/g, 'TIME') };
      };
    },
  };
}

/** The login of the test workspace for both environments. */
function environmentsOf({ variables }: TestWorkspace): Variables {
  const own = Object.entries(variables).flatMap(([name, value]) =>
    name.startsWith('DEXSYNC_REMOTE_')
      ? ['PROD', 'DEV'].map((other): [string, string] => [name.replace('REMOTE', other), value])
      : [[name, value] as [string, string]],
  );
  return Object.fromEntries(own);
}
