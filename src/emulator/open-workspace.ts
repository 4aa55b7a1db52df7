import type { Arguments } from './arguments.js';
import { dialectNamed } from './dialects/catalog.js';
import { reference } from './dialects/reference.js';
import { dialectAt } from './dialects/release.js';
import type { Faults } from './faults/front.js';
import type { App, Services } from './routes/app.js';
import { NoRequestLimit, RequestLimit } from './rules/request-limit.js';
import type { Workspace } from './rules/workspace.js';
import { RunQueue } from './run-queue.js';
import { seed, seedEmails, WORKSPACE_NAME } from './seed.js';
import { type BuildOptions, buildServer } from './server.js';
import { openStore, readMeta, type Store, writeMeta } from './store/open.js';
import { RunFiles } from './store/run-files.js';
import { setPasswords } from './store/users.js';
import type { WorkspacePlace } from './workspace-places.js';

/** A workspace that answers requests. */
export interface OpenWorkspace {
  readonly workspace: Workspace;
  readonly app: App;
  /** Returns a second server, which counts and logs nothing. */
  readonly uncounted: () => Promise<App>;
  /** Ends requests and runs, and closes the database. */
  close(): Promise<void>;
}

/** What the workspaces of a process share. */
export interface Shared extends Pick<Workspace, 'clock' | 'chance' | 'address'> {
  readonly args: Arguments;
  /** The password of all users, hashed. */
  readonly hash: string;
  readonly faults: Faults;
  readonly log: (text: string) => void;
  /** Those that are open, the first one first. */
  readonly open: readonly OpenWorkspace[];
}

/** Opens the database of a workspace and builds its server. Throws an OpenError if that is not possible. */
export async function openWorkspace(
  place: WorkspacePlace,
  shared: Shared,
  options: BuildOptions = {},
): Promise<OpenWorkspace> {
  const { args, hash, faults, log, open, clock, chance, address } = shared;
  const dialect = dialectAt(dialectNamed(args.dialect) ?? reference, args.release);
  const fill = (settings: Store['settings']): void => {
    if (place.domain !== undefined) writeMeta(settings, 'domain', place.domain);
    seed(settings, chance, clock, dialect);
  };
  const store = await openStore(place.db, fill, place.from);
  const { settings, usage } = store;
  const workspace: Workspace = {
    ...{ settings, usage, clock, chance, dialect, address, release: args.release, requestLimit: args.quota },
    id: distinctId(store, shared),
    name: place.name ?? WORKSPACE_NAME,
  };
  const setPassword = () => setPasswords(settings, seedEmails(settings), hash);
  setPassword();
  let queue = new RunQueue(store, args.dialect, log);
  const reset = async (): Promise<void> => {
    const { resetStore } = await import('./reset-store.js');
    await queue.close();
    try {
      await resetStore(store, workspace, place.from);
      setPassword();
    } finally {
      queue = new RunQueue(store, args.dialect, log);
    }
  };
  const services: Services = {
    ...{ workspace, faults, uploadLimit: args.uploadLimit, reset: inTurn(reset) },
    workspaces: () => open.map((one) => one.workspace),
    ...{ limit: new RequestLimit(workspace), runFiles: new RunFiles(store.runFolder), wake: () => queue.wake() },
  };
  const app = await buildServer(services, log, { ...options, logRequests: args.logRequests });
  await app.ready();
  const close = async (): Promise<void> => {
    await app.close();
    await queue.close();
    store.close();
  };
  let quiet: Promise<App> | undefined;
  const uncounted = (): Promise<App> => {
    quiet ??= buildServer({ ...services, limit: new NoRequestLimit(workspace) }, log);
    return quiet;
  };
  return { workspace, app, uncounted, close };
}

/** Makes each call wait for the one before it. */
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.catch(() => undefined).then(work);
    return last;
  };
}

/** The id of a workspace: another one if it is a copy of a workspace that is open. */
function distinctId({ settings }: Store, { open, chance }: Pick<Shared, 'open' | 'chance'>): number {
  const isTaken = (id: number): boolean => open.some(({ workspace }) => workspace.id === id);
  let id = Number(readMeta(settings, 'workspaceId'));
  if (!isTaken(id)) return id;
  while (isTaken(id)) id = chance.workspaceId();
  writeMeta(settings, 'workspaceId', String(id));
  return id;
}
