import { DexsyncError, EXIT, type ExitCode } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { portRefused } from '#delivery/watch/monitor.js';
import { type PageSettings, pageSettings } from '#project/config/page-settings.js';
import { operatingUser } from '#project/connection/author.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { isThisMachine } from '#service/this-machine.js';
import { serveActions } from '../server/actions.js';
import { backgroundErrands } from '../server/errands.js';
import { serveImports } from '../server/imports.js';
import { openKnowledge } from '../server/knowledge.js';
import { serveLive } from '../server/live.js';
import { localLogin } from '../server/local-login.js';
import type { Login } from '../server/login.js';
import { type PageAddress, pageServer } from '../server/page-server.js';
import { servePages } from '../server/pages.js';
import { serveVerdicts } from '../server/verdicts.js';

/** Where to serve the page. */
export interface ServePageOptions extends Pick<ProjectOptions, 'config' | 'dataFolder'> {
  /** 0: any free one. */
  readonly port: number;
  /** The address of this machine to listen at; 127.0.0.1 by default. */
  readonly address?: string;
  /** Milliseconds between two readings of the ledger; 15 seconds by default. */
  readonly interval?: number;
}

const INTERVAL = 15_000;

/**
 * Serves the page of a project until the signal of the host. Without `page` in the configuration, for this machine only:
 * `ready` is then given a link that logs in once. Throws USAGE if it cannot listen, NETWORK if the login service cannot be
 * used, and what reading the ledger throws.
 */
export async function servePage(
  { port, address: given = '127.0.0.1', interval = INTERVAL, ...options }: ServePageOptions,
  host: Host,
  ready: (started: { readonly url: string }) => void,
): Promise<ExitCode> {
  const address = /^[^[].*:/.test(given) ? `[${given}]` : given;
  const settings = await pageSettings(await openConfig(options, host), host);
  if (settings === undefined && !isThisMachine(address)) throw openToOthers(address);
  const login = await loginFor(settings, host);
  const knowledge = await openKnowledge(options, host, interval);
  const place: { port: number } = { port };
  const { server, sessions, assets } = await pageServer(login, addressOf(settings, place), host);
  const errands = backgroundErrands();
  const { reviewKey } = settings ?? {};
  const pages = { options, knowledge, errands, assets, host, ...omitUndefined({ reviewKey }) };
  servePages(server, pages);
  serveActions(server, pages);
  serveVerdicts(server, pages);
  serveImports(server, pages);
  serveLive(server, knowledge, sessions);
  await server.listen({ port, host: address.replace(/^\[(.*)\]$/, '$1') }).catch((cause: unknown) => {
    throw portRefused(port, address, cause);
  });
  place.port = server.addresses().find((one) => typeof one === 'object')?.port ?? port;
  ready({ url: login.link(`http://${address}:${place.port}`) });
  if (!host.signal.aborted)
    await new Promise((stopped) => host.signal.addEventListener('abort', stopped, { once: true }));
  await server.close();
  await Promise.all([knowledge.ended, errands.ended()]);
  return EXIT.done;
}

const openToOthers = (address: string): DexsyncError =>
  new DexsyncError('USAGE', `Without a login, the page is for this machine only, and ${address} is not.`, {
    hint: 'Set `page.url` and `page.login` in sync.config.yaml, or leave out `--host`.',
  });

async function loginFor(settings: PageSettings | undefined, { clock }: Host): Promise<Login> {
  if (settings === undefined) return localLogin(operatingUser() ?? 'you');
  const { oidcLogin } = await import('../server/oidc-login.js');
  return oidcLogin(settings, () => clock().getTime());
}

/** The names of this machine, and that of the configuration. The port is known once it listens. */
const addressOf = (settings: PageSettings | undefined, place: { readonly port: number }): PageAddress => ({
  isOwn: (name) =>
    name === settings?.url.host || ['127.0.0.1', 'localhost', '[::1]'].some((own) => name === `${own}:${place.port}`),
  isSecure: settings?.url.protocol === 'https:',
  cookie: () => (settings?.url.protocol === 'https:' ? '__Host-dexsync' : `dexsync-${place.port}`),
});
