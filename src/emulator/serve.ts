import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Arguments } from './arguments.js';
import { createBackingService } from './faults/backing-service.js';
import type { FaultFile } from './faults/fault-file.js';
import { describeUnstruckFaults, FaultFront, type Faults } from './faults/front.js';
import { type OpenWorkspace, openWorkspace, type Shared } from './open-workspace.js';
import { systemChance } from './rules/guid-source.js';
import { hashPassword } from './rules/passwords.js';
import { hasSession } from './rules/sessions.js';
import type { Workspace } from './rules/workspace.js';
import { seedEmails } from './seed.js';
import { OpenError } from './store/open.js';
import { workspacePlaces } from './workspace-places.js';

/** The data that a client needs to connect to a workspace: the line that the process prints. */
export interface Ready {
  readonly url: string;
  readonly dialect: string;
  /** The id of the first workspace. */
  readonly workspaceId: number;
  /** The e-mail address of its administrator. */
  readonly email: string;
  readonly password: string;
  /** All workspaces, if there are several. */
  readonly workspaces?: readonly { readonly workspaceId: number; readonly name: string; readonly email: string }[];
}

/** The workspaces of a process, which are listening. */
export interface WorkspaceServer {
  readonly ready: Ready;
  readonly faults: Faults;
  /** Ends requests and runs, and closes the databases. Logs the faults that never struck. */
  close(): Promise<void>;
}

/** The sources of time and randomness for a workspace. */
export type Sources = Pick<Workspace, 'clock' | 'chance'>;

const SYSTEM: Sources = { clock: () => new Date(), chance: systemChance };

/** Opens the databases of the workspaces and listens. Throws an OpenError if that is not possible. */
export async function serve(args: Arguments, log: (text: string) => void, sources = SYSTEM): Promise<WorkspaceServer> {
  const faults = await readFaults(args.faults);
  const open: OpenWorkspace[] = [];
  const front = new FaultFront(
    createBackingService((headers) => workspaceOf(headers, open)),
    log,
  );
  let url = '';
  const close = async (): Promise<void> => {
    for (const line of describeUnstruckFaults(front.report())) log(line);
    for (const workspace of open) await workspace.close();
  };
  // Unless given, it is random: clients read it from the line printed.
  const { password = randomBytes(18).toString('base64url') } = args;
  const hash = hashPassword(password);
  const shared: Shared = { ...sources, args, hash, log, open, faults: front, address: () => url };
  try {
    for (const place of workspacePlaces(args)) {
      const isFirst = open.length === 0;
      open.push(await openWorkspace(place, shared, isFirst ? { createServer: frontOf(front, open) } : {}));
    }
    url = await listen(open, args.port);
  } catch (error) {
    await close();
    throw error;
  }
  if (faults !== undefined) await front.set(faults);
  return { ready: readyOf(open, url, password), faults: front, close };
}

/** The server of the first workspace, which hands on the requests that carry a session of another one. */
const frontOf =
  (front: FaultFront, open: readonly OpenWorkspace[]): FaultFront['createServer'] =>
  (handle, options) =>
    front.createServer((request, response) => {
      const meant = open.length === 1 ? open[0] : workspaceOf(request.headers, open);
      if (meant === open[0]) handle(request, response);
      else meant?.app.routing(request, response);
    }, options);

/** The workspace of the session that a request carries; the first one if it carries none. */
function workspaceOf(headers: IncomingHttpHeaders, open: readonly OpenWorkspace[]): OpenWorkspace {
  const [first] = open;
  if (first === undefined) throw new Error('No workspace is open.');
  const token = headers[first.workspace.dialect.headers.session];
  if (open.length === 1) return first;
  const sessions = found.get(first) ?? new Map<string, OpenWorkspace>();
  found.set(first, sessions);
  const known = sessions.get(String(token));
  if (known !== undefined && hasSession(known.workspace, token)) return known;
  const now = open.find(({ workspace }) => hasSession(workspace, token)) ?? first;
  sessions.set(String(token), now);
  return now;
}

/** The workspace of each session that was used, by the first workspace: looking for one in hundreds takes long. */
const found = new WeakMap<OpenWorkspace, Map<string, OpenWorkspace>>();

function readyOf(open: readonly OpenWorkspace[], url: string, password: string): Ready {
  const all = open.map(({ workspace: { id: workspaceId, name, settings } }) => {
    const [email = ''] = seedEmails(settings);
    return { workspaceId, name, email };
  });
  const { email = '' } = all[0] ?? {};
  return {
    ...{ url, dialect: open[0]?.workspace.dialect.name ?? '', workspaceId: all[0]?.workspaceId ?? 0, email, password },
    ...(all.length > 1 && { workspaces: all }),
  };
}

async function readFaults(path: string | undefined): Promise<FaultFile | undefined> {
  if (path === undefined) return undefined;
  const { readFaultFile } = await import('./faults/read-fault-file.js');
  return readFaultFile(path).catch((error: Error) => {
    throw new OpenError(error.message);
  });
}

async function listen([first]: readonly OpenWorkspace[], port: number): Promise<string> {
  try {
    return (await first?.app.listen({ host: '127.0.0.1', port })) ?? '';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new OpenError(`Port ${port} is in use by another process.`);
    if (code === 'EACCES') throw new OpenError(`Port ${port} cannot be used: permission denied.`);
    throw error;
  }
}
