import { randomUUID } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareRepository } from './git.js';
import { newDatabase, sharedPostgres } from './postgres.js';
import { environment, type TestProject, testProject } from './test-project.js';

/** A ledger that several machines use. */
export interface TeamLedger {
  readonly name: string;
  /** Puts a new one into the configuration of a project; the variables that its commands need. */
  place(project: TestProject): Promise<Readonly<Record<string, string>>>;
}

/** A folder of the project. */
export const inFolder: TeamLedger = {
  name: 'a folder',
  async place(project) {
    await configure(project, 'ledger: { file: { folder: led } }');
    return {};
  },
};

/** A branch of a repository that the test makes. */
export const inGit: TeamLedger = {
  name: 'git',
  async place(project) {
    await configure(project, `ledger: { git: { remote: "${await bareRepository()}" } }`);
    return {};
  },
};

/** A database of its own on a server that the tests of a file share. Call it at the top level of the file. */
export function inPostgres(): TeamLedger {
  const server = sharedPostgres();
  return {
    name: 'PostgreSQL',
    async place(project) {
      await configure(project, 'ledger: "${env.TEST_LEDGER}"');
      return { TEST_LEDGER: await newDatabase(await server()) };
    },
  };
}

async function configure(project: TestProject, line: string): Promise<void> {
  await project.write('sync.config.yaml', `${await project.read('sync.config.yaml')}${line}\n`);
}

/** The project on a machine that has nothing but its files, and the variables of that machine. */
export async function freshRunner(
  project: TestProject,
): Promise<{ project: TestProject; variables: Readonly<Record<string, string>> }> {
  const runner = await testProject();
  await cp(project.folder, runner.folder, { recursive: true, filter: (path) => !path.endsWith('.dexsync') });
  return { project: runner, variables: machine() };
}

/** Takes a project to a machine that never saw its ledger. `what`: the file or folder that did not come along. */
export async function loseLedger({ folder }: TestProject, what = '.dexsync'): Promise<void> {
  await rm(join(folder, what), { recursive: true });
  await rm(join(environment().XDG_STATE_HOME ?? '', 'dexsync/heads'), { recursive: true, force: true });
}

/** A machine has a state of its own. */
export const machine = (): Readonly<Record<string, string>> => ({
  XDG_STATE_HOME: join(tmpdir(), 'state', randomUUID()),
});
