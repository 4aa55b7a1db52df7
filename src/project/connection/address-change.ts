import { withHint } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import type { Backend } from '#ledger/backend.js';
import { copyJournals } from '#ledger/copy-journals.js';
import { followHead } from '#ledger/head.js';
import { isMoved, isReaddressed, readdressedNonce } from '#ledger/journal-name.js';
import { readOrigin } from '#ledger/journal-origin.js';
import type { JournalStore } from '#ledger/journal-store.js';
import { saveState } from '#ledger/read-state.js';
import { isThisMachine } from '#service/this-machine.js';
import type { Environment } from '../config/environment.js';
import { findSettings } from '../config/environment-settings.js';
import type { Config } from '../config/load-config.js';
import type { Host } from '../host.js';
import { gatherFacts } from './command-facts.js';
import { type Access, type Gate, openGate, refuseWrite } from './login-lease.js';
import { openLeases } from './open-leases.js';
import type { ReachedWorkspace } from './reached-workspace.js';
import { type LedgerEvent, recordLedgerEvent } from './record-ledger-event.js';

/** A workspace that the ledger does not know at the address of its environment. */
export interface AddressCheck {
  readonly config: Config;
  readonly environment: Environment;
  readonly access: Access;
  readonly gate: Gate;
  readonly backend: Backend;
  readonly host: Host;
  readonly connection: ReachedWorkspace;
}

/**
 * If the ledger knows the same workspace id and stack at another address, asks whether the workspace was there before,
 * and keeps the answer: moves the journals here, and closes the ledger of the old address. Throws ADDRESS_CHANGED if
 * nobody answers. Returns whether the ledger has changed.
 */
export async function settleAddress(readdressed: AddressCheck): Promise<boolean> {
  const { host, connection, backend } = readdressed;
  const { identity } = connection.workspace;
  const last = (await backend.journals(identity, refuseWrite).recent()).at(-1);
  const before = await formerWorkspaces(identity, readdressed);
  if (last !== undefined && !isReaddressed(last) && before.unfinished === undefined) return false;
  const answer = host.movedFrom === undefined ? await ask(before, readdressed) : given(host.movedFrom, before);
  if (answer === undefined) return false;
  await withWriting(answer, readdressed, (mayWrite) =>
    answer === 'none' ? beginNewLedger(readdressed, mayWrite) : moveFromAddress(answer, readdressed, mayWrite),
  );
  return true;
}

/** Ledgers of the same workspace id at other addresses. */
interface Former {
  /** Ledgers that are not closed. */
  readonly open: readonly string[];
  /** Open ledgers with applies of this stack, at an address that no environment has now. */
  readonly likely: readonly string[];
  /** Such ledgers at another port of this machine, as of tunnels and served workspaces: never asked about. */
  readonly beside: readonly string[];
  /** The ledger that a killed process has begun to move. */
  readonly unfinished: string | undefined;
}

/** Finds the ledgers that may be those of a workspace before its address changed. */
export async function formerWorkspaces(
  identity: string,
  { config, backend, host }: Pick<AddressCheck, 'config' | 'backend' | 'host'>,
): Promise<Former> {
  const id = idOf(identity);
  const same = (await backend.workspaces(id)).filter((one) => one !== identity && idOf(one) === id);
  const [open, likely, beside]: [string[], string[], string[]] = [[], [], []];
  if (same.length === 0) return { open, likely, beside, unfinished: undefined };
  const inUse = addressesInUse(config, host);
  const unfinished = await unfinishedFrom(backend.journals(identity, refuseWrite));
  for (const one of same) {
    const store = backend.journals(one, refuseWrite);
    const names = await store.names();
    if (isMoved(names.at(-1) ?? '') && one !== unfinished) continue;
    open.push(one);
    const isLeft = !inUse.has(addressOf(one)) && (await isOfStack(store, names, config.stack));
    if (one !== unfinished && !isLeft) continue;
    (one !== unfinished && isOtherPort(one, identity) ? beside : likely).push(one);
  }
  return { open, likely, beside, unfinished };
}

const idOf = (identity: string): string => identity.slice(identity.lastIndexOf('/') + 1);
const addressOf = (identity: string): string => identity.slice(0, identity.lastIndexOf('/'));

function isOtherPort(one: string, other: string): boolean {
  const hostname = hostnameOf(one);
  return hostname === hostnameOf(other) && isThisMachine(hostname);
}

const hostnameOf = (identity: string): string => addressOf(identity).replace(/:\d+$/, '');

async function unfinishedFrom(store: JournalStore): Promise<string | undefined> {
  const last = (await store.recent()).at(-1);
  const origin = last === undefined ? undefined : readOrigin(last, await store.read(last)).origin.workspace;
  return origin === store.workspace ? undefined : origin;
}

/** The addresses of all environments: one that is in use was not given up. */
function addressesInUse(config: Config, { variables }: Pick<Host, 'variables'>): ReadonlySet<string> {
  const addresses = Object.keys(config.environments).map((name) => {
    try {
      return new URL(findSettings(config, name, variables).url ?? '').host;
    } catch {
      return '';
    }
  });
  return new Set(addresses);
}

async function isOfStack(store: JournalStore, names: readonly string[], stack: string): Promise<boolean> {
  const named = `"stack":${JSON.stringify(stack)}`;
  for (const name of [...names].reverse()) {
    const text = await store.read(name).catch(() => '');
    if (text.slice(0, text.indexOf('\n')).includes(named)) return true;
  }
  return false;
}

function given(movedFrom: string, { open }: Former): string | undefined {
  if (open.length === 0) return undefined;
  if (movedFrom === 'none') return 'none';
  const address = URL.canParse(movedFrom) && movedFrom.includes('://') ? new URL(movedFrom).host : movedFrom;
  const found = open.find((one) => addressOf(one) === address);
  if (found !== undefined) return found;
  throw new DexsyncError('USAGE', `The ledger has no workspace ${idOf(open[0] ?? '')} at ${address}.`, {
    hint: `\`--moved-from\` names the address that the workspace had: ${open.map(addressOf).join(', ')}, or \`none\`.`,
  });
}

async function ask({ likely, beside }: Former, readdressed: AddressCheck): Promise<string | undefined> {
  const { host, connection } = readdressed;
  const { environment, workspace } = connection;
  if (likely.length === 0) {
    if (beside.length > 0) warnOfOtherPort(readdressed, beside);
    return undefined;
  }
  for (const one of likely) {
    const change = { environment, workspace: workspace.name, from: addressOf(one), to: addressOf(workspace.identity) };
    if (await host.askMoved?.(change)) return one;
  }
  throw addressChanged(environment, workspace.identity, likely);
}

/** Warns that ownership and protection are not moved unasked, until this address has a ledger. */
function warnOfOtherPort({ host, connection }: AddressCheck, beside: readonly string[]): void {
  const { message, hint } = changeOf(connection.environment, connection.workspace.identity, beside);
  const diagnostic = withHint({ severity: 'warning', code: 'address-changed', message }, hint);
  host.emit({ type: 'diagnostic', diagnostic });
}

/** Creates an ADDRESS_CHANGED error, with the options that answer it. */
export function addressChanged(environment: string, identity: string, likely: readonly string[]): DexsyncError {
  const { message, hint } = changeOf(environment, identity, likely);
  return new DexsyncError('ADDRESS_CHANGED', message, { hint });
}

const changeOf = (environment: string, identity: string, former: readonly string[]) => ({
  message: `Environment "${environment}" has a workspace ${idOf(identity)} at ${addressOf(identity)}, and the ledger knows nothing of it there. It knows a workspace with this id at ${former.map(addressOf).join(' and at ')}, to which this stack was applied.`,
  hint: `If its address changed, run \`dexsync plan --env ${environment} --moved-from ${addressOf(former[0] ?? '')}\` once: what is owned, protected and imported holds as before. If it is another workspace, use \`--moved-from none\`.`,
});

/** Runs `use` with the locks of both addresses, even if the command only reads. */
async function withWriting(
  from: string,
  { environment, access, gate: own, backend, host, connection }: AddressCheck,
  use: (mayWrite: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const login = connection.login.email;
  const asked = { service: environment.service, login, environment: environment.name, access: 'record' as const };
  const gate = access !== 'read' ? own : await openGate(asked, await openLeases(backend, environment, host), host);
  try {
    if (gate !== own) await gate.enter(connection.workspace.identity);
    if (from !== 'none') await gate.enter(from, addressOf(from));
    await use(gate.mayWrite);
  } finally {
    if (gate !== own) await gate.close();
  }
}

/**
 * Moves a ledger from an old address. Closes the old one before the new one begins, so that nobody continues there. An
 * interrupted move is asked about again, and resumed.
 */
async function moveFromAddress(from: string, readdressed: AddressCheck, mayWrite: () => Promise<void>): Promise<void> {
  const { backend, host, connection } = readdressed;
  const { identity } = connection.workspace;
  const [source, target] = [
    backend.journals(from, mayWrite),
    { ...backend.journals(identity, mayWrite), movedFrom: from },
  ];
  await followHead(source);
  const names = await source.names();
  const isClosed = isMoved(names.at(-1) ?? '');
  await copyJournals(isClosed ? names.slice(0, -1) : names, source, target, (count) =>
    host.emit({ type: 'read', what: 'applies', count }),
  );
  const reason = `moved to the address ${addressOf(identity)}`;
  if (!isClosed) await enter(source, { reason, nonceOf: readdressedNonce }, readdressed);
  await enter(target, { reason: `moved from the address ${addressOf(from)}` }, readdressed);
  await saveState(target);
}

/** Begins a new ledger: nobody is asked again about a ledger that has an entry. */
const beginNewLedger = (readdressed: AddressCheck, mayWrite: () => Promise<void>): Promise<void> =>
  enter(
    readdressed.backend.journals(readdressed.connection.workspace.identity, mayWrite),
    { reason: 'another workspace than those with its id at other addresses' },
    readdressed,
  );

async function enter(
  store: JournalStore,
  event: Pick<LedgerEvent, 'reason' | 'nonceOf'>,
  { config, host, connection }: AddressCheck,
): Promise<void> {
  const recorded = gatherFacts((host.command ?? 'dexsync').replace(/^dexsync /, ''), {}, config, host);
  await recordLedgerEvent(store, { stack: config.stack, recorded, ...event }, connection, host);
}
