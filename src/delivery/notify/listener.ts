import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { shellWord } from '#base/shell-word.js';
import type { Backend } from '#ledger/backend.js';
import { noticesShelf } from '#ledger/document-store.js';
import { type Claim, readSaid, type Said, type SaidRecord } from '#ledger/said.js';
import type { Config } from '#project/config/load-config.js';
import type { NoticeKind, NotifyTarget } from '#project/config/notify-schema.js';
import { hears, notifyAddress, targetName } from '#project/config/notify-targets.js';
import { withBackend } from '#project/connection/backend-of.js';
import type { Host } from '#project/host.js';
import {
  type NextNotice,
  type Notice,
  type NoticePlace,
  nextNotice,
  placeKey,
  type Seen,
  TOPICS,
  type Topic,
} from './notice.js';
import { environmentPlace } from './seen.js';
import { sendMessage } from './send-message.js';

/** A target, and what this process remembers of it. */
export interface Listener {
  readonly target: NotifyTarget;
  readonly name: string;
  /** What the ledger knows it by: its address, not what it hears of. */
  readonly id: string;
  /** By place: what was seen last, and said. */
  readonly handled: Map<string, Seen>;
  /** By place: what was said, if the ledger cannot keep it. */
  readonly unwritten: Map<string, Said>;
  /** Whether somebody was warned that nothing arrives. */
  isMissed: boolean;
}

export const listenersOf = ({ notify = [] }: Pick<Config, 'notify'>): Listener[] =>
  notify.map((target, index) => {
    const id = createHash('sha256')
      .update(JSON.stringify([target.webhook, target.mail]))
      .digest('hex')
      .slice(0, 12);
    return { target, name: targetName(target, index), id, handled: new Map(), unwritten: new Map(), isMissed: false };
  });

/** Who speaks. */
export interface Speaker {
  readonly config: Config;
  readonly host: Host;
}

/** Says to a listener what is new about a place, once for all processes that share its ledger. */
export async function sayNews(listener: Listener, place: NoticePlace, seen: Seen, speaker: Speaker): Promise<void> {
  const key = placeKey(place);
  if (isDeepStrictEqual(listener.handled.get(key), seen) || !hears(listener.target, 'test', place.environments)) return;
  const { config, host } = speaker;
  const sayFrom = (documents?: Backend['documents']): Promise<boolean> =>
    sayTopics(listener, place, { seen, speaker, documents });
  const isSaid = await withBackend(config, place.environments[0], host, ({ documents }) => sayFrom(documents)).catch(
    (error: unknown) => unlessDexsync(error) ?? sayFrom(),
  );
  if (isSaid) listener.handled.set(key, seen);
}

interface Saying {
  readonly seen: Seen;
  readonly speaker: Speaker;
  /** Undefined if the ledger is out of reach. */
  readonly documents: Backend['documents'] | undefined;
}

/** What may follow from a topic. */
const HEARD_WITH: Readonly<Record<Topic, readonly NoticeKind[]>> = {
  failed: ['failed', 'recovered'],
  waiting: ['waiting'],
  drifted: ['drifted', 'recovered'],
  done: ['recovered'],
};

/** Returns false if something has to be said again. */
async function sayTopics(
  listener: Listener,
  place: NoticePlace,
  { seen, speaker, documents }: Saying,
): Promise<boolean> {
  const key = placeKey(place);
  let isSaid = true;
  for (const topic of TOPICS) {
    const found = seen[topic];
    const kinds = HEARD_WITH[topic];
    if (found === undefined || !kinds.some((kind) => hears(listener.target, kind, place.environments))) continue;
    const record = await recordFor(listener, key, documents?.(noticesShelf(speaker.config.stack, key)));
    const next = nextNotice(record.said, topic, found);
    if (next !== undefined && !(await claimAndSay(listener, place, { record, next, speaker }))) isSaid = false;
  }
  return isSaid;
}

/** What was said, as the ledger has it, or this process if the ledger cannot be used. */
async function recordFor(
  { id, unwritten }: Listener,
  key: string,
  store: ReturnType<Backend['documents']> | undefined,
): Promise<SaidRecord> {
  const own = unwritten.get(key);
  const kept = own === undefined && store !== undefined ? await readSaid(store, id).catch(unlessDexsync) : undefined;
  return kept ?? { said: own ?? {}, claim: () => Promise.reject(unreachable()) };
}

const unreachable = (): DexsyncError => new DexsyncError('LEDGER_UNREACHABLE', 'It is out of reach.');

interface Claiming {
  readonly record: SaidRecord;
  readonly next: NextNotice;
  readonly speaker: Speaker;
}

/** Returns false if it could not be said. */
async function claimAndSay(
  listener: Listener,
  place: NoticePlace,
  { record, next, speaker }: Claiming,
): Promise<boolean> {
  const { said, notice } = next;
  const { clock, nonce } = speaker.host;
  const key = placeKey(place);
  let claim: Claim | undefined;
  try {
    claim = await record.claim(said, { at: clock().toISOString(), id: nonce() });
    if (claim === undefined) return true;
  } catch (error) {
    unlessDexsync(error);
    if (listener.unwritten.size === 0) speaker.host.emit({ type: 'diagnostic', diagnostic: unwritten(error) });
    const before = listener.unwritten.get(key) ?? record.said;
    listener.unwritten.set(key, said);
    claim = { undo: async () => void listener.unwritten.set(key, before) };
  }
  if (notice === undefined || (await say(listener, { ...notice, place }, speaker))) return true;
  await claim.undo().catch(unlessDexsync);
  return false;
}

/** Sends a notice, if the listener is to hear of it. Reports what keeps it away, once until something arrives. */
export async function say(listener: Listener, notice: Notice, { config, host }: Speaker): Promise<boolean> {
  if (!hears(listener.target, notice.is, notice.place.environments)) return true;
  const why = await send(listener, notice, { config, host });
  if (why !== undefined && !listener.isMissed)
    host.emit({ type: 'diagnostic', diagnostic: missed(listener.name, why, notice) });
  listener.isMissed = why !== undefined;
  return why === undefined;
}

/** Returns the reason why a notice did not arrive; undefined if it did. */
async function send({ target }: Listener, notice: Notice, { config, host }: Speaker): Promise<string | undefined> {
  const message = { ...notice, stack: config.stack, at: host.clock().toISOString() };
  try {
    await sendMessage(host.secrets.redactValue(message), notifyAddress(target, host), host.timeout);
    return undefined;
  } catch (error) {
    return host.secrets.redact(reasonOf(error));
  }
}

/** A target that a test message was sent to. */
export interface TriedTarget {
  readonly target: string;
  /** Why it did not arrive; null if it did. */
  readonly failure: string | null;
}

/** Sends a test message to each target that hears of an environment. */
export const tryTargets = (environment: string, speaker: Speaker): Promise<TriedTarget[]> => {
  const place = environmentPlace(environment);
  const text = 'this is a test: messages come here when something waits for a person, drifted, failed or recovered';
  const notice: Notice = { is: 'test', place, text, command: `dexsync status --env ${shellWord(environment)}` };
  const meant = listenersOf(speaker.config).filter(({ target }) => hears(target, 'test', place.environments));
  return Promise.all(
    meant.map(async (listener) => ({
      target: listener.name,
      failure: (await send(listener, notice, speaker)) ?? null,
    })),
  );
};

function missed(name: string, why: string, { place }: Notice) {
  const [environment = ''] = place.environments;
  const hint = `Nothing else depends on it. \`dexsync env check ${shellWord(environment)} --notify\` tries it.`;
  return { severity: 'warning', code: 'notify', message: `${name} was not notified: ${why}.`, hint } as const;
}

const unwritten = (error: unknown) =>
  ({
    severity: 'warning',
    code: 'notify',
    message: `The ledger cannot keep what was said: ${reasonOf(error)}`,
    hint: 'This process remembers it; others, and this one after a restart, say it again.',
  }) as const;

/** Errors of the ledger keep nobody from being notified. */
function unlessDexsync(error: unknown): undefined {
  if (!(error instanceof DexsyncError)) throw error;
}
