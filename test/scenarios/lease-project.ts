import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fileLeases } from '#ledger/file/file-leases.js';
import type { Claim, Lease } from '#ledger/lease.js';
import { alteringProxy, type Exchange } from '../harness/altering-proxy.js';
import { manifest } from '../harness/manifest.js';
import { finished, type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

export const group = (name: string): string => manifest('UserGroup', name, { description: 'x' });

export const groups = (count: number): string =>
  Array.from({ length: count }, (_, index) => group(`G${index}`)).join('');

/** Stands before a workspace and holds requests back until they are let go. */
export interface Held {
  readonly variables: Record<string, string>;
  /** Resolves when the first such request arrived. */
  readonly reached: Promise<void>;
  letGo(): void;
  /** How many requests of that kind arrived. */
  count(method: string, path: string): number;
}

export async function holding(workspace: TestWorkspace, at: (exchange: Exchange) => boolean): Promise<Held> {
  const counts = new Map<string, number>();
  let reached: () => void = () => undefined;
  let letGo: () => void = () => undefined;
  const arrived = new Promise<void>((done) => {
    reached = done;
  });
  const gate = new Promise<void>((done) => {
    letGo = done;
  });
  const url = await alteringProxy(
    workspace.url,
    () => undefined,
    async (exchange) => {
      const key = `${exchange.method} ${exchange.path}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (!at(exchange)) return undefined;
      reached();
      await gate;
      return undefined;
    },
  );
  return {
    variables: { ...workspace.variables, TEST_URL: url },
    reached: arrived,
    letGo,
    count: (method, path) => counts.get(`${method} ${path}`) ?? 0,
  };
}

const APPLY = ['apply', '--yes', '--reason', 'release 12'];

/** A project, a workspace, and an apply in it that stands still before its first write. */
export async function applyUnderWay(manifests = groups(3), at = isWrite) {
  const workspace = await testWorkspace();
  const held = await holding(workspace, at);
  const project = await testProject({ 'manifests/groups.yaml': manifests });
  const { result } = project.begin(APPLY, held.variables);
  await held.reached;
  return { workspace, held, project, result };
}

/** The same in a process of its own, which a test can end. */
export async function applyingProcess() {
  const workspace = await testWorkspace();
  const held = await holding(workspace, isWrite);
  const project = await testProject({ 'manifests/groups.yaml': groups(3) });
  const child = project.start(APPLY, held.variables);
  onTestFinished(() => void child.kill('SIGKILL'));
  await held.reached;
  return { held, project, child, result: finished(child) };
}

export const isWrite = ({ method, path }: Exchange): boolean => method === 'POST' && path !== '/login';

/** Takes a lease of a project as another process of this host has it. */
export async function leaseOf(project: TestProject, key: Pick<Claim, 'service' | 'login'>): Promise<Lease> {
  const leases = fileLeases({ root: join(project.folder, '.dexsync'), clock: () => new Date(), nonce: randomUUID });
  const taken = await leases.take({ ...key, environment: 'elsewhere', command: 'dexsync apply' });
  if (taken.is === 'held') throw new Error('held');
  onTestFinished(() => taken.lease.release());
  return taken.lease;
}

/** Resolves when a process has said something. */
export async function said(child: ChildProcess, what: RegExp): Promise<void> {
  let text = '';
  await new Promise<void>((done, failed) => {
    const hear = (chunk: Buffer): void => {
      text += chunk;
      if (what.test(text)) done();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('close', () => failed(new Error(`it ended without ${what}: ${text}`)));
  });
}
