import { redactError, secretsOfUrl } from '#base/secrets.js';
import type { Backend } from '#ledger/backend.js';
import type { LeaseTiming } from '#ledger/lease-life.js';
import { machineHeads } from '#ledger/machine-head.js';
import { guardedBackend } from '#ledger/refuse-secrets.js';
import { dataFolder } from '../config/environment.js';
import { type LedgerSettings, ledgerSettings } from '../config/ledger-settings.js';
import type { Config } from '../config/load-config.js';
import type { Host } from '../host.js';
import { withOpen } from '../once.js';
import { machineFolder } from './machine-folder.js';

/** Opens the backend of an environment's ledger and locks, and closes it afterwards. */
export const withBackend = <T>(
  config: Config,
  environment: string | undefined,
  host: Host,
  use: (backend: Backend) => Promise<T>,
): Promise<T> => withLedgerAt(ledgerSettings(config, environment, host.variables), config, host, use);

/** Opens the backend at a place that need not be the configured one. Errors contain no secrets. */
export async function withLedgerAt<T>(
  settings: LedgerSettings,
  config: Config,
  host: Host,
  use: (backend: Backend) => Promise<T>,
): Promise<T> {
  try {
    const open = (): Promise<Backend> => openBackend(settings, config, host);
    return await withOpen(host, ['ledger', settings], open, (backend) => use(guardedBackend(backend, host.secrets)));
  } catch (error) {
    redactError(error, host.secrets);
    throw error;
  }
}

/** Opens a backend; each is loaded only if it is used. */
async function openBackend(settings: LedgerSettings, config: Config, host: Host): Promise<Backend> {
  const { clock, nonce, emit, variables, secrets, goesOnAfterLoss } = host;
  const timing: LeaseTiming = { clock, nonce };
  const data = dataFolder(config);
  const heads = machineHeads({
    data,
    state: () => machineFolder(host),
    warn: (message) => emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'ledger-head', message } }),
  });
  if (settings.is === 'postgres') {
    const { postgresBackend } = await import('#ledger/postgres/postgres-backend.js');
    secrets.add(...secretsOfUrl(settings.url));
    return postgresBackend(settings.url, timing, heads);
  }
  if (settings.is === 'git') {
    const { gitBackend } = await import('#ledger/git/git-backend.js');
    const { folder: project } = config;
    return gitBackend({ ...settings, project, data, variables, secrets, heads, goesOnAfterLoss, ...timing });
  }
  const { fileBackend } = await import('#ledger/file/file-backend.js');
  return fileBackend({ folder: settings.folder, data, heads, ...timing });
}
