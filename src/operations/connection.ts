import { dataFolder, type Environment, type RemoteEnvironment, resolveEnvironment } from '../config/environment.js';
import type { Config } from '../config/load-config.js';
import { passwordOf } from '../config/password.js';
import { remoteIdentity } from '../config/workspace-place.js';
import { fileLedger } from '../ledger/file-ledger.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Plan } from '../model/plan.js';
import { type Client, openClient } from '../service/client.js';
import { type EmbeddedWorkspace, startEmbedded } from '../service/embedded.js';
import type { Login } from '../service/login.js';
import { profileNamed } from '../service/profiles/profiles.js';
import type { Host } from './host.js';
import { rememberWorkspace } from './known-workspace.js';

/** A workspace that was reached and logged in to, and its ledger. */
export interface Connection {
  readonly environment: string;
  readonly client: Client;
  readonly workspace: Plan['workspace'];
  readonly ledger: Ledger;
  /** Where and as whom; no secret. */
  readonly login: { readonly url: string; readonly email: string };
}

/** Logs in to the chosen environment, starting the embedded workspace where that is meant, and closes all of it afterwards. */
export async function withConnection<T>(
  config: Config,
  chosen: string | undefined,
  host: Host,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const environment = resolveEnvironment(config, chosen, host.variables);
  const embedded =
    environment.workspace === 'embedded' ? await startEmbedded(environment.database, environment.profile) : undefined;
  try {
    const settings = clientOptions(environment, embedded, host);
    const client = openClient(settings);
    try {
      const { id, name } = await client.workspace();
      const identity = environment.workspace === 'remote' ? remoteIdentity(environment.url, id) : `embedded/${id}`;
      await rememberWorkspace(config, environment, identity);
      const ledger = fileLedger(dataFolder(config), identity);
      const { url, email } = settings.login;
      const workspace = { id, name, identity };
      return await use({ environment: environment.name, client, workspace, ledger, login: { url, email } });
    } finally {
      await client.close();
    }
  } finally {
    await embedded?.stop();
  }
}

function clientOptions(environment: Environment, embedded: EmbeddedWorkspace | undefined, host: Host) {
  const product = `dexsync/${host.version}`;
  const login = embedded === undefined ? remoteLogin(environment as RemoteEnvironment) : embeddedLogin(embedded);
  return {
    profile: profileNamed(
      environment.workspace === 'remote' ? environment.profile : (embedded?.dialect ?? 'reference'),
    ),
    login,
    usageReason: environment.usageReason ?? product,
    userAgent: product,
    signal: host.signal,
    clock: () => host.clock().getTime(),
    ...(host.timeout === undefined ? {} : { timeout: host.timeout }),
    onWait: (seconds: number) => host.emit({ type: 'waiting', seconds }),
    ...(host.trace === undefined ? {} : { trace: host.trace }),
  };
}

const remoteLogin = (environment: RemoteEnvironment): Login => ({
  url: environment.url,
  email: environment.email,
  password: () => passwordOf(environment),
  ...(environment.workspaceId === undefined ? {} : { workspaceId: environment.workspaceId }),
});

const embeddedLogin = ({ url, email, password, workspaceId }: EmbeddedWorkspace): Login => ({
  url,
  email,
  password: async () => password,
  workspaceId: String(workspaceId),
});
