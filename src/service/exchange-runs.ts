import type { Readable } from 'node:stream';
import { DexsyncError } from '#base/errors.js';
import { isObject, type Json, type JsonObject } from '#core/model/json.js';
import { type Guid, isGuid } from '#core/model/kind.js';
import { saysSessionRefused } from './refusal-meaning.js';
import { unansweredWrite } from './unanswered-write.js';

/** A state, reduced from the many words that the service has for it. `unknown`: a word that no source names. */
export type ExchangeState = 'in progress' | 'complete' | 'failed' | 'aborted' | 'unknown';

/** A run of an export or of an extract, with what both have in common (wire-facts 5.1 and 5.2). */
export interface ExchangeRun {
  readonly guid: Guid;
  /** Only for exports. */
  readonly number?: number;
  readonly state: ExchangeState;
  /** The service's own word for the state. */
  readonly status: string;
  /** E-mail of the user who started it, if the service has it. */
  readonly creator?: string;
  readonly body: JsonObject;
}

/** An archive of a completed run. */
export interface ArchiveFile {
  readonly guid: Guid;
  readonly name?: string;
  /** In bytes, if the service says so beforehand. */
  readonly size?: number;
}

/** The run endpoints of one export or extract definition. */
export interface ExchangeRuns {
  /** Lists the runs that this user may see. */
  list(): Promise<readonly ExchangeRun[]>;
  /** Returns the newest completed run, or undefined if there is none. */
  latest(): Promise<ExchangeRun | undefined>;
  start(criteria?: Json): Promise<ExchangeRun>;
  read(run: Guid): Promise<ExchangeRun>;
  /** Lists the archives of a completed run. */
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

/** Reads a state. Extracts have two spellings: `COMPLETED` in answers, `InProcess` in searches (wire-facts 5.2). */
const exchangeStateOf = (status: string): ExchangeState =>
  STATES[status.replaceAll(/[_ ]/g, '').toUpperCase()] ?? 'unknown';

/** Reads the run in the answer to a read; throws ANSWER_UNEXPECTED if there is none. */
export function exchangeRunIn(body: JsonObject): ExchangeRun {
  const run = toExchangeRun(body);
  if (run !== undefined) return run;
  throw new DexsyncError('ANSWER_UNEXPECTED', 'The service answered with a run without guid or status.');
}

/**
 * Reads the run in the answer to the request that starts it. Throws WRITE_UNANSWERED if there is none, or if the
 * session was refused, since the run may have started then, too.
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
