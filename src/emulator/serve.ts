import { randomBytes } from 'node:crypto';
import type { Arguments } from './arguments.js';
import { dialectNamed } from './dialects/catalog.js';
import { reference } from './dialects/reference.js';
import { dialectAt } from './dialects/release.js';
import { createBackingService } from './faults/backing-service.js';
import type { FaultFile } from './faults/fault-file.js';
import { describeUnstruckFaults, FaultFront, type Faults } from './faults/front.js';
import type { App } from './routes/app.js';
import { systemChance } from './rules/guid-source.js';
import { hashPassword } from './rules/passwords.js';
import { NoRequestLimit, RequestLimit } from './rules/request-limit.js';
import type { Workspace } from './rules/workspace.js';
import { RunQueue } from './run-queue.js';
import { SEED_USERS, seed, WORKSPACE_NAME } from './seed.js';
import { buildServer } from './server.js';
import { OpenError, openStore, readMeta, type Store } from './store/open.js';
import { RunFiles } from './store/run-files.js';
import { setPasswords } from './store/users.js';

/** The data that a client needs to connect to a workspace: the line that the process prints. */
export interface Ready {
  readonly url: string;
  readonly dialect: string;
  readonly workspaceId: number;
  /** The e-mail address of its administrator. */
  readonly email: string;
  readonly password: string;
}

/** A workspace that is listening. */
export interface WorkspaceServer {
  readonly ready: Ready;
  readonly faults: Faults;
  /** Ends requests and runs, and closes the database. Logs the faults that never struck. */
  close(): Promise<void>;
}

/** The sources of time and randomness for a workspace. */
export type Sources = Pick<Workspace, 'clock' | 'chance'>;

const SYSTEM: Sources = { clock: () => new Date(), chance: systemChance };

/** Opens the database of a workspace and listens. Throws an OpenError if that is not possible. */
export async function serve(args: Arguments, log: (text: string) => void, sources = SYSTEM): Promise<WorkspaceServer> {
  const faults = await readFaults(args.faults);
  const { clock, chance } = sources;
  const dialect = dialectAt(dialectNamed(args.dialect) ?? reference, args.release);
  const store = await openStore(args.db, (settings) => seed(settings, chance, clock, dialect), args.from);
  let url = '';
  const workspace: Workspace = {
    settings: store.settings,
    usage: store.usage,
    clock,
    chance,
    dialect,
    release: args.release,
    id: Number(readMeta(store.settings, 'workspaceId')),
    name: WORKSPACE_NAME,
    address: () => url,
    requestLimit: args.quota,
  };
  const serving = await startServer(args, workspace, store, log);
  url = serving.ready.url;
  if (faults !== undefined) await serving.faults.set(faults);
  return serving;
}

async function readFaults(path: string | undefined): Promise<FaultFile | undefined> {
  if (path === undefined) return undefined;
  const { readFaultFile } = await import('./faults/read-fault-file.js');
  return readFaultFile(path).catch((error: Error) => {
    throw new OpenError(error.message);
  });
}

async function startServer(
  args: Arguments,
  workspace: Workspace,
  store: Store,
  log: (text: string) => void,
): Promise<WorkspaceServer> {
  const password = setPassword(args, workspace);
  let queue = new RunQueue(store, args.dialect, log);
  const front: FaultFront = new FaultFront(
    createBackingService(
      workspace,
      () => app,
      () => buildServer({ ...services, limit: new NoRequestLimit(workspace) }, log),
    ),
    log,
  );
  const services = {
    workspace,
    limit: new RequestLimit(workspace),
    runFiles: new RunFiles(store.runFolder),
    wake: () => queue.wake(),
    uploadLimit: args.uploadLimit,
    faults: front,
    reset: () => {
      resets = resets.catch(() => undefined).then(reset);
      return resets;
    },
  };
  let resets = Promise.resolve();
  const reset = async (): Promise<void> => {
    const { resetStore } = await import('./reset-store.js');
    await queue.close();
    try {
      await resetStore(store, workspace, args.from);
      setPassword({ password }, workspace);
    } finally {
      queue = new RunQueue(store, args.dialect, log);
    }
  };
  const app: App = await buildServer(services, log, { front, logRequests: args.logRequests });
  const close = async (): Promise<void> => {
    for (const line of describeUnstruckFaults(front.report())) log(line);
    await app.close();
    await queue.close();
    store.close();
  };
  const url = await listen(() => app.listen({ host: '127.0.0.1', port: args.port }), args.port);
  const [{ email }] = SEED_USERS;
  const ready = { url, dialect: workspace.dialect.name, workspaceId: workspace.id, email, password };
  return { ready, faults: front, close };
}

/** Sets the password of all users of the seed; unless given, it is random: clients read it from the line printed. */
function setPassword(
  { password = randomBytes(18).toString('base64url') }: Pick<Arguments, 'password'>,
  { settings }: Workspace,
): string {
  const emails = SEED_USERS.map(({ email }) => email);
  setPasswords(settings, emails, hashPassword(password));
  return password;
}

async function listen(start: () => Promise<string>, port: number): Promise<string> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new OpenError(`Port ${port} is in use by another process.`);
    if (code === 'EACCES') throw new OpenError(`Port ${port} cannot be used: permission denied.`);
    throw error;
  }
}
