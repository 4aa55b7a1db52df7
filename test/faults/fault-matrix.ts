import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '#base/errors.js';
import type { Profile } from '#service/profiles/profile.js';
import { sample } from '../harness/sample.js';
import { type Fault, noteRequests, type RequestName, type Striking, strikeAt } from '../harness/striking.js';
import { finished, type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';
import { contentsOf } from './contents.js';
import { OPERATIONS, type Operation } from './operations.js';

/** Where the ledger is kept, and who goes on after a fault. */
export interface LedgerUnderTest {
  readonly name: string;
  /** Sets it up for a project. */
  place(project: TestProject): Promise<Readonly<Record<string, string>>>;
  /** The project as the next runner has it. */
  next(project: TestProject): Promise<{ project: TestProject; variables: Readonly<Record<string, string>> }>;
  readonly faults: readonly Fault[];
}

const FILES: LedgerUnderTest = {
  name: 'files',
  place: async () => ({}),
  next: async (project) => ({ project, variables: {} }),
  faults: ['killed before', 'killed after', 'cut before', 'cut after', 'answered 500 after'],
};

/** Project and workspace where the command starts. */
async function stage({ prepare }: Operation, { name }: Profile, ledger: LedgerUnderTest) {
  const workspace = await testWorkspace([], name);
  const project = await testProject();
  const variables = { ...workspace.variables, ...(await ledger.place(project)) };
  await prepare(project, async (...args) => {
    const { code, out, err } = await project.run(args, variables);
    if (err !== '') throw new Error(`${args.join(' ')} ended with ${code}: ${out}${err}`);
  });
  return { project, workspace, variables };
}

/** The command without a fault: what it asks the service for, and what is there at its end. */
async function undisturbed(operation: Operation, profile: Profile, ledger: LedgerUnderTest) {
  const { project, workspace, variables } = await stage(operation, profile, ledger);
  const seen = await noteRequests(workspace);
  const { code, out, err } = await project.run(operation.command, variables);
  if (code !== (operation.code ?? 0)) throw new Error(`${operation.name} ended with ${code}: ${out}${err}`);
  return { requests: await seen(), contents: await contentsOf(workspace, profile) };
}

/**
 * What reads has no traces; how often a run is asked for depends on the time that it takes. Who comes before the other has
 * logged in is simply the first.
 */
const faultsOn = (request: RequestName, { faults }: LedgerUnderTest): readonly Fault[] => {
  if (faults !== FILES.faults) return request.startsWith('GET ') ? [] : faults;
  if (request.startsWith('POST /login')) return faults;
  if (!request.startsWith('GET '))
    return [...faults, 'answered 401 after', 'met by another user before', ...(DOUBLING.test(request) ? [] : REPEATED)];
  return request.endsWith(' #1') ? ['cut before'] : [];
};

const REPEATED: readonly Fault[] = ['answered the first time of twice that', 'answered the last time of twice that'];

/** Creations of which the service makes two objects: `conformance` has those. */
const DOUBLING = /^POST \/(imports|exports|outboundevents|suppliers\S*) #/;

/** How many operations of each dialect `npm test` takes from the whole, and how many cases of each operation. */
const OPERATIONS_TAKEN: Readonly<Record<string, number>> = { files: 1, git: 1, PostgreSQL: 1 };
const CASES_TAKEN: Readonly<Record<string, number>> = { files: 2, git: 1, PostgreSQL: 1 };

/** Each operation under each fault at each of its requests, by a dry run of it now. */
export async function faultMatrix(profile: Profile, ledger = FILES): Promise<void> {
  const chosen = await Promise.all(
    sample(OPERATIONS, OPERATIONS_TAKEN[ledger.name] ?? 1).map(async (operation) => {
      const { requests, contents } = await undisturbed(operation, profile, ledger);
      const all = [...new Set(requests)].flatMap((request) =>
        faultsOn(request, ledger).map((fault) => ({ request, fault })),
      );
      return { operation, name: operation.name, contents, cases: sample(all, CASES_TAKEN[ledger.name] ?? 1) };
    }),
  );
  describe.each(chosen)(
    `$name in the dialect ${profile.name}, ledger in ${ledger.name}`,
    ({ operation, contents, cases }) => {
      test.each(cases)('nothing is lost or doubled: $request $fault the service applied it', async (striking) => {
        const { project, workspace, variables } = await stage(operation, profile, ledger);
        const { code, struck } = await strike(operation, striking, { project, workspace, variables });
        expect(struck).toBe(true);
        const next = await ledger.next(project);
        const others = { ...variables, ...next.variables };
        const last = await goOn(operation, striking.fault, code, { ...next, variables: others });
        for (const file of operation.files ?? [])
          expect(existsSync(join((last === 'itself' ? project : next.project).folder, file)), file).toBe(true);
        expect(await contentsOf(workspace, profile)).toEqual(contents);
        if (operation.leaves === 'differences') return;
        const plan = await next.project.run(['plan', '--detailed-exitcode', '--manual', 'warn'], others);
        expect(plan.code, plan.out).toBe(0);
      });
    },
  );
}

/** Who brought the operation to its end: the command itself, or what a person did after it. */
async function goOn(
  operation: Operation,
  fault: Fault,
  code: number | null,
  { project, variables }: Omit<Staged, 'workspace'>,
): Promise<'itself' | 'person'> {
  if (fault === 'met by another user before') expect(code).toBe(operation.code ?? 0);
  else if (code !== 0) {
    await repeat(operation, project, variables);
    return 'person';
  }
  return 'itself';
}

interface Staged {
  readonly project: TestProject;
  readonly workspace: TestWorkspace;
  readonly variables: Record<string, string>;
}

/** Runs the command into the fault. */
async function strike(
  { command }: Operation,
  striking: Pick<Striking, 'request' | 'fault'>,
  { project, workspace, variables }: Staged,
): Promise<{ readonly code: number | null; readonly struck: boolean }> {
  if (striking.fault === 'met by another user before') {
    const others: (number | null)[] = [];
    const another = { ...variables, DEXSYNC_REMOTE_EMAIL: 'cleo@example.com' };
    const act = async () => void others.push((await project.run(command, another)).code);
    const struck = await strikeAt(workspace, { ...striking, act });
    const { code } = await project.run(command, variables);
    expect(others).toEqual([EXIT.locked]);
    return { code, struck: struck() };
  }
  let kill: () => void = () => undefined;
  const struck = await strikeAt(workspace, { ...striking, act: async () => kill() });
  if (!striking.fault.startsWith('killed')) {
    const { code } = await project.run(command, variables);
    return { code, struck: struck() };
  }
  const child = project.start(command, variables);
  kill = () => child.kill('SIGKILL');
  const { code } = await finished(child);
  return { code, struck: struck() };
}

async function repeat(
  { command, code = 0, after }: Operation,
  project: TestProject,
  variables: Record<string, string>,
) {
  for (const { args, codes } of after ?? [{ args: command, codes: [code] }]) {
    const ended = await project.run(args, variables);
    expect(codes, `${args.join(' ')}\n${ended.out}${ended.err}`).toContain(ended.code);
  }
}
