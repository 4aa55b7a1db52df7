import { DexsyncError } from './errors.js';
import { compileSecretPattern, longestSpelling } from './secret-pattern.js';

/**
 * The passwords, tokens, keys and connection strings known so far. Text that leaves the process passes `redact`; text
 * that must not change passes `refuse`. Secrets of fewer than four characters are ignored.
 */
export interface Secrets {
  /** Adds secrets from now on. Long lines of a secret of several lines are secrets too. */
  add(...secrets: readonly (string | undefined)[]): void;
  /** Replaces each secret in a text with `[redacted]`. */
  redact(text: string): string;
  /** Redacts all texts in plain data; returns the same data if it contains no secret. */
  redactValue<T>(value: T): T;
  /** Throws SECRET_RECORDED if a text to be recorded unchanged contains a secret; `record` begins the message. */
  refuse(text: string, record: string): void;
  /** Redacts a text that comes in pieces. */
  openRedaction(): Redaction;
  /** Creates secrets that include these, and that keep what they learn to themselves. */
  branch(): Secrets;
}

/** A redaction in progress: a possible beginning of a secret is held back until the next piece. */
export interface Redaction {
  next(piece: string): string;
  end(): string;
}

const REDACTED = '[redacted]';
/** Shorter lines, such as the first of a certificate, are not secrets by themselves. */
const LINE_OF_KEY = 12;

/** Creates secrets that include those in the variables of dexsync and PostgreSQL. */
export function openSecrets(variables: Readonly<Record<string, string | undefined>> = {}): Secrets {
  const secrets = secretsWith([]);
  secrets.add(...Object.keys(variables).flatMap((name) => (SECRET_VARIABLE.test(name) ? [variables[name]] : [])));
  return secrets;
}

function secretsWith(given: Iterable<string>): Secrets {
  const known = new Set<string>();
  let pattern: RegExp | undefined;
  let longest = 0;
  const find = (text: string): number => (pattern === undefined ? -1 : text.search(pattern));
  const redact = (text: string): string => (pattern === undefined ? text : text.replace(pattern, REDACTED));
  const secrets: Secrets = {
    add(...given) {
      const added = given.flatMap(linesOf).filter((secret) => !known.has(secret));
      if (added.length === 0) return;
      for (const secret of added) known.add(secret);
      pattern = compileSecretPattern(known);
      longest = Math.max(longest, ...added.map(longestSpelling));
    },
    branch: () => secretsWith(known),
    redact,
    redactValue: (value) => (known.size > 0 && isIn(value, find) ? (copyOf(value, redact) as typeof value) : value),
    refuse(text, record) {
      const at = find(text);
      if (at >= 0) throw recordedSecret(record, placeIn(text.slice(0, at)));
    },
    openRedaction() {
      let held = '';
      return {
        next(piece) {
          const text = redact(held + piece);
          const end = text.endsWith('\n') ? text.length : wholeCharacter(text, Math.max(0, text.length - longest));
          held = text.slice(end);
          return text.slice(0, end);
        },
        end() {
          const rest = held;
          held = '';
          return rest;
        },
      };
    },
  };
  secrets.add(...given);
  return secrets;
}

type Entries = Readonly<Record<string, unknown>>;

const isData = (value: unknown): value is Entries | unknown[] =>
  typeof value === 'object' && value !== null && !(value instanceof Map);

function isIn(value: unknown, find: (text: string) => number): boolean {
  if (typeof value === 'string') return find(value) >= 0;
  return isData(value) && Object.values(value).some((entry) => isIn(entry, find));
}

function copyOf(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (!isData(value)) return value;
  if (Array.isArray(value)) return value.map((entry) => copyOf(entry, redact));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, copyOf(entry, redact)]));
}

const SECRET_VARIABLE = /^(DEXSYNC_\w*(PASSWORD|KEY|TOKEN|SECRET)|PGPASSWORD)$/;

function linesOf(secret = ''): string[] {
  const lines = secret.split(/\r?\n/);
  return lines.length === 1 ? [secret] : [secret, ...lines.filter((line) => line.length >= LINE_OF_KEY)];
}

/** Moves a cut so that it does not separate a surrogate pair. */
const wholeCharacter = (text: string, at: number): number =>
  at > 0 && /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;

/** Redacts a text that comes in pieces. */
export async function* redactPieces(pieces: AsyncIterable<string>, secrets: Secrets): AsyncGenerator<string> {
  const redaction = secrets.openRedaction();
  for await (const piece of pieces) yield redaction.next(piece);
  yield redaction.end();
}

/** Redacts bytes that come in pieces, even if they are not text. */
export async function* redactChunks(chunks: AsyncIterable<string | Uint8Array>, secrets: Secrets) {
  const redaction = secrets.openRedaction();
  for await (const chunk of chunks) yield Buffer.from(redaction.next(Buffer.from(chunk).toString('latin1')), 'latin1');
  yield Buffer.from(redaction.end(), 'latin1');
}

/** Redacts the texts of an error and its causes; codes stay. */
export function redactError(error: unknown, secrets: Secrets): void {
  if (!(error instanceof Error)) return;
  const redacted = Object.entries({ message: error.message, stack: error.stack, hint: (error as DexsyncError).hint });
  for (const [name, text] of redacted)
    if (text !== undefined && secrets.redact(text) !== text)
      Object.defineProperty(error, name, { value: secrets.redact(text) });
  redactError(error.cause, secrets);
}

/** The secrets in a URL; none if the text is not a URL. */
export function secretsOfUrl(url: string): string[] {
  const [, user = '', password = ''] = /:\/\/([^/@:\s]*)(?::([^/@\s]*))?@/.exec(url) ?? [];
  const [, inQuery = ''] = /[?&]password=([^&#\s]*)/.exec(url) ?? [];
  // A user without a password is a token for HTTP, and a name elsewhere.
  const token = password === '' && /^https?:/.test(url) ? user : '';
  return [password, inQuery, token].filter((part) => part !== '').flatMap((part) => [part, decoded(part)]);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Names the object and the field of a place in JSON, from the text before it. */
function placeIn(before: string): string {
  const [, field] = /.*"(\w+)":/s.exec(before) ?? [];
  const [, address] = /.*"address":\s*"((?:[^"\\]|\\.)+)"/s.exec(before) ?? [];
  if (field === undefined) return '';
  return address === undefined ? ` in "${field}"` : ` in "${field}" of ${address}`;
}

const recordedSecret = (record: string, place: string): DexsyncError =>
  new DexsyncError('SECRET_RECORDED', `${record} would contain a password, token or key of dexsync${place}.`, {
    hint: 'It was not written. Remove the secret where it comes from: an option, a manifest, a row or the object in the workspace. Change it if others have seen it.',
  });
