import { omitUndefined } from '#base/omit-undefined.js';
import type { Catalog } from '#core/catalog.js';
import type { Backend } from '#ledger/backend.js';
import { type DocumentStore, plansShelf, releasesShelf } from '#ledger/document-store.js';
import type { JournalStore } from '#ledger/journal-store.js';
import type { SeenStore } from '#ledger/last-seen.js';
import type { LeaseKey } from '#ledger/lease.js';
import type { Ledger } from '#ledger/ledger.js';
import { type ClientOptions, openClient } from '#service/client.js';
import { type EmbeddedWorkspace, startEmbedded } from '#service/embedded.js';
import type { Login } from '#service/login.js';
import { profileWith } from '#service/profiles/profile.js';
import { profileNamed } from '#service/profiles/profiles.js';
import { type Connections, openConnections } from '#service/transport.js';
import { defaultReserve } from '../config/default-reserve.js';
import { type Environment, type LoginFor, type RemoteEnvironment, resolveEnvironment } from '../config/environment.js';
import type { Config } from '../config/load-config.js';
import { readPassword } from '../config/password.js';
import { remoteIdentity } from '../config/workspace-place.js';
import type { Host } from '../host.js';
import { withOpen } from '../once.js';
import { mayNeedReviews } from '../reviews/may-need-reviews.js';
import { withBackend } from './backend-of.js';
import { rememberWorkspace } from './known-workspace.js';
import { ledgerAt } from './ledger-at.js';
import { type Access, type Gate, openGate } from './login-lease.js';
import { openLeases } from './open-leases.js';
import type { ReachedWorkspace } from './reached-workspace.js';

/** A workspace after the login, and its ledger. */
export interface Connection extends ReachedWorkspace {
  /** The catalog of the project. */
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  /** The stored ledger, for commands that check or move it. */
  readonly kept: {
    readonly journals: JournalStore;
    /** The saved plans of this stack and environment. */
    readonly plans: DocumentStore;
    readonly releases: DocumentStore;
    readonly documents: Backend['documents'];
    readonly seen: SeenStore;
    readonly place: string;
    /** Throws if this process has lost its locks, or never had them. */
    readonly mayWrite: () => Promise<void>;
  };
  /** Daily requests that an apply never spends. */
  readonly keepRequests: number;
  /** Requests of a day, if the service says so. */
  readonly dailyRequests?: number;
  /** Requests that comparing the rows of imports may take; absent if the environment does not set it. */
  readonly previewRequests?: number;
}

/** The environment that a command reaches, and its access there. */
export interface Destination {
  readonly environment?: string | undefined;
  readonly access: Access;
  /** Whether the caller has found that what it writes was approved, or needs no approval. */
  readonly isReviewed?: boolean;
  /** The reason, for others who find the environment in use. */
  readonly reason?: string | undefined;
}

/**
 * Logs in to the chosen environment, starts its embedded workspace if it has one, and closes both afterwards. Writers
 * have the lease from before the login until then. Throws LOCKED, LOGIN_REFUSED, WORKSPACE_MISMATCH, and any error of
 * reaching the service.
 */
export async function withConnection<T>(
  config: Config,
  reaching: Destination,
  host: Host,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const environment = resolveEnvironment(config, reaching.environment, host.variables, loginFor(reaching));
  await refuseUnreviewedWrite(config, environment.name, reaching, host);
  await learnPassword(environment, reaching, host);
  return withBackend(config, environment.name, host, async (backend) => {
    const gate = await gateOf(environment, reaching, backend, host);
    try {
      // A login to it asks nobody.
      if (environment.workspace === 'embedded') await gate.mayLogIn();
      const { patience = 0, signal } = host;
      const starting = { patience: Math.max(patience, WHILE_OTHERS_READ), signal, mayGoOn: gate.mayLogIn };
      const embedded =
        environment.workspace === 'embedded' ? await startEmbedded({ ...environment, ...starting }) : undefined;
      try {
        const reached = { config, environment, access: reaching.access, embedded, gate, backend, host };
        const open = async (): Promise<Connections> => openConnections(host.timeout, null);
        return await withOpen(host, ['connections'], open, (connections) => connect({ ...reached, connections }, use));
      } finally {
        await embedded?.stop();
      }
    } finally {
      await gate.close();
    }
  });
}

const loginFor = ({ access }: Destination): LoginFor => (access === 'read' ? 'read' : 'write');

/** Throws PLAN_UNAPPROVED where only approved plans may write. */
async function refuseUnreviewedWrite(
  config: Config,
  environment: string,
  { access, isReviewed = false }: Destination,
  host: Host,
): Promise<void> {
  if (access !== 'write' || isReviewed || !mayNeedReviews(config, host)) return;
  const { refuseWithoutReview } = await import('../reviews/refuse-without-review.js');
  await refuseWithoutReview(config, environment, host);
}

/** Learns the password before a reason is recorded, which may contain it and is recorded before the login. */
async function learnPassword(environment: Environment, { reason }: Destination, host: Host): Promise<void> {
  if (environment.workspace === 'embedded') return;
  if ('value' in environment.password || reason !== undefined) host.secrets.add(await askPassword(environment, host));
}

/** Milliseconds to wait for readers: they have no lease, yet each is the only user of an embedded workspace. */
const WHILE_OTHERS_READ = 10_000;

/** The key of a login that only one process may use at a time. */
export const loginKey = (environment: Environment): LeaseKey => ({
  service: environment.service,
  login: environment.workspace === 'remote' ? environment.email : 'embedded',
});

async function gateOf(
  environment: Environment,
  { access, reason }: Destination,
  backend: Backend,
  host: Host,
): Promise<Gate> {
  const { name } = environment;
  const why = reason === undefined ? {} : { reason };
  return openGate(
    { environment: name, ...loginKey(environment), access, ...why },
    await openLeases(backend, environment, host),
    host,
  );
}

interface ConnectionContext {
  readonly config: Config;
  readonly environment: Environment;
  readonly access: Access;
  readonly embedded: EmbeddedWorkspace | undefined;
  readonly connections: Connections;
  readonly gate: Gate;
  readonly backend: Backend;
  readonly host: Host;
}

async function connect<T>(reached: ConnectionContext, use: (connection: Connection) => Promise<T>): Promise<T> {
  const { config, environment, gate, backend, host } = reached;
  const settings = optionsOfClient(reached);
  const client = openClient(settings);
  try {
    const { id, name, requestLimit } = await client.workspace();
    host.secrets.refuse(id, 'The identity of the workspace');
    const identity = environment.workspace === 'remote' ? remoteIdentity(environment.url, id) : `embedded/${id}`;
    await gate.enter(identity);
    await rememberWorkspace(config, environment, identity);
    const journals = backend.journals(identity, gate.mayWrite);
    const { url, email } = settings.login;
    const of = { client, environment: environment.name, workspace: { id, name, identity }, login: { url, email } };
    const keepRequests = environment.keepRequests ?? defaultReserve(requestLimit);
    return await use({
      ...of,
      catalog: config.catalog,
      ledger: ledgerAt(journals, { ...reached, connection: of }),
      kept: {
        journals,
        plans: backend.documents(plansShelf(config.stack, environment.name)),
        releases: backend.documents(releasesShelf(config.stack)),
        documents: backend.documents,
        seen: backend.seen(config.stack, environment.name),
        place: backend.place,
        mayWrite: gate.mayWrite,
      },
      keepRequests,
      ...omitUndefined({ dailyRequests: requestLimit, previewRequests: environment.previewRequests }),
    });
  } finally {
    await client.close();
  }
}

function optionsOfClient({ config, environment, embedded, connections, gate, host }: ConnectionContext): ClientOptions {
  const product = `dexsync/${host.version}`;
  const login = embedded === undefined ? remoteLogin(environment as RemoteEnvironment, host) : embeddedLogin(embedded);
  return {
    profile: profileWith(
      profileNamed(environment.workspace === 'remote' ? environment.profile : (embedded?.dialect ?? 'reference')),
      config.catalog.kinds,
    ),
    login,
    // A login to the embedded workspace ends no other session.
    permission: embedded === undefined ? gate : { ...gate, mayLogIn: async () => undefined },
    usageReason: environment.usageReason ?? product,
    userAgent: product,
    signal: host.signal,
    clock: () => host.clock().getTime(),
    secrets: host.secrets,
    connections,
    ...omitUndefined({ timeout: host.timeout }),
    onWait: (seconds: number) => host.emit({ type: 'waiting', seconds, because: 'service' }),
    onWarning: (diagnostic) => host.emit({ type: 'diagnostic', diagnostic }),
    ...omitUndefined({ trace: host.trace }),
  };
}

const askPassword = (environment: RemoteEnvironment, { signal, emit, variables }: Host): Promise<string> =>
  readPassword(environment, {
    signal,
    variables,
    onWait: (seconds) => emit({ type: 'waiting', seconds, because: 'password' }),
  });

const remoteLogin = (environment: RemoteEnvironment, host: Host): Login => ({
  url: environment.url,
  email: environment.email,
  password: () => askPassword(environment, host),
  from: { environment: environment.name, password: environment.password.from },
  ...omitUndefined({ workspaceId: environment.workspaceId }),
});

const embeddedLogin = ({ url, email, password, workspaceId }: EmbeddedWorkspace): Login => ({
  url,
  email,
  password: async () => password,
  workspaceId: String(workspaceId),
});
