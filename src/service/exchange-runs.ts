import type { Readable } from 'node:stream';
import { DexsyncError } from '#base/errors.js';
import { isObject, type Json, type JsonObject } from '#core/model/json.js';
import { type Guid, isGuid } from '#core/model/kind.js';
import { saysSessionRefused } from './refusal-meaning.js';
import { unansweredWrite } from './unanswered-write.js';

/** What the many words for states come down to. `unknown`: one that no source names. */
export type ExchangeState = 'in progress' | 'complete' | 'failed' | 'aborted' | 'unknown';

/** A run of an export or of an extract, as far as both tell the same (wire-facts 5.1 and 5.2). */
export interface ExchangeRun {
  readonly guid: Guid;
  /** Of exports alone. */
  readonly number?: number;
  readonly state: ExchangeState;
  /** The service's own word. */
  readonly status: string;
  /** E-mail of who started it, where the service tells. */
  readonly creator?: string;
  readonly body: JsonObject;
}

/** An archive of a completed run. */
export interface ArchiveFile {
  readonly guid: Guid;
  readonly name?: string;
  /** Bytes, where the service tells them beforehand. */
  readonly size?: number;
}

/** The run endpoints of one export or extract definition. */
export interface ExchangeRuns {
  /** Those that this user may see. */
  list(): Promise<readonly ExchangeRun[]>;
  /** The newest completed one, or undefined where there is none. */
  latest(): Promise<ExchangeRun | undefined>;
  start(criteria?: Json): Promise<ExchangeRun>;
  read(run: Guid): Promise<ExchangeRun>;
  /** The archives of a completed run. */
  files(run: ExchangeRun): Promise<readonly ArchiveFile[]>;
  content(run: ExchangeRun, file: ArchiveFile): Promise<Readable>;
}

const STATES: Readonly<Record<string, ExchangeState>> = {
  CREATED: 'in progress',
  RUNNING: 'in progress',
  INPROCESS: 'in progress',
  COMPLETE: 'complete',
  COMPLETED: 'complete',
  DOWNLOADED: 'complete',
  FAILED: 'failed',
  ABORTED: 'aborted',
};

/** Extracts write their states in two ways: `COMPLETED` in answers, `InProcess` in searches (wire-facts 5.2). */
const exchangeStateOf = (status: string): ExchangeState =>
  STATES[status.replaceAll(/[_ ]/g, '').toUpperCase()] ?? 'unknown';

/** The run that the answer to a read holds; throws ANSWER_UNEXPECTED where it holds none. */
export function exchangeRunIn(body: JsonObject): ExchangeRun {
  const run = toExchangeRun(body);
  if (run !== undefined) return run;
  throw new DexsyncError('ANSWER_UNEXPECTED', 'The service answered with a run without guid or status.');
}

/**
 * The run of an answer to the request that starts one. Throws WRITE_UNANSWERED where it names none: a session that was
 * refused leaves open, too, whether it was started.
 */
export async function startedRunIn(asked: Promise<JsonObject>): Promise<ExchangeRun> {
  const body = await asked.catch((error: unknown) => {
    throw saysSessionRefused(error)
      ? unansweredWrite(`${error.message} The run may or may not have started.`, error)
      : error;
  });
  const run = toExchangeRun(body);
  if (run !== undefined) return run;
  throw unansweredWrite('The service answered with a run without guid or status; the run may or may not have started.');
}

function toExchangeRun(body: JsonObject): ExchangeRun | undefined {
  const { guid, status, number, creator } = body;
  if (typeof guid !== 'string' || !isGuid(guid) || typeof status !== 'string') return undefined;
  const email = isObject(creator) ? creator.email : undefined;
  return {
    guid,
    status,
    state: exchangeStateOf(status),
    ...(typeof number === 'number' ? { number } : {}),
    ...(typeof email === 'string' ? { creator: email } : {}),
    body,
  };
}
