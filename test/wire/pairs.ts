import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json };

/** One request and the answer that the documents give it. */
export interface Pair {
  /** The section that says so, as in "interface 4.1" or "wire-facts 0". */
  readonly cites: string;
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    /** Absent: only the session, `Service-Session-Id: {session}`. */
    readonly headers?: Readonly<Record<string, string>>;
    /** A JSON body; absent: none. */
    readonly body?: Json;
    /** A multipart form: a text is a field, an object is a file. */
    readonly multipart?: Readonly<Record<string, string | { readonly filename: string; readonly content: string }>>;
  };
  readonly answer: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    /** A JSON body; absent: no body. */
    readonly body?: Json;
    /** A body that is no JSON, such as a report. */
    readonly text?: string;
  };
  /** The request is repeated until a run is neither CREATED nor RUNNING (interface 4.3). */
  readonly poll?: true;
}

/** The pairs of one file, to be played in order against one workspace. */
interface Scenario {
  readonly file: string;
  readonly pairs: readonly Pair[];
}

/** Values by name: those that the player knows, and those that earlier answers gave. */
export type Bindings = Map<string, Json>;

const FURTHER = '...';
const PLACEHOLDER = /^<(\w+)(?: as (\w+))?>$/;

/** What each placeholder of an answer stands for, and a value of that form. */
const FORMS: Readonly<Record<string, { readonly fits: (value: Json) => boolean; readonly sample: Json }>> = {
  guid: { fits: (value) => /^[A-Z0-9]{20}$/.test(String(value)), sample: 'A1B2C3D4E5F6G7H8I9J0' },
  datetime: {
    fits: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(value)),
    sample: '2025-01-31T08:00:00Z',
  },
  integer: { fits: (value) => /^\d+$/.test(String(value)), sample: 7 },
  string: { fits: (value) => typeof value === 'string' && value !== '', sample: 'text' },
  httpdate: {
    fits: (value) => new Date(String(value)).toUTCString() === value,
    sample: 'Fri, 31 Jan 2025 08:00:00 GMT',
  },
};

/**
 * Reads the JSON files beside this one. Each is an array of {@link Pair}s, written from the documents and not recorded
 * from a server; the server must produce the answers, the client must accept them.
 *
 * In an answer `"<guid>"`, `"<datetime>"`, `"<integer>"`, `"<string>"` and `"<httpdate>"` stand for any value of that form,
 * and `"<guid as run>"` also names it. In a request `{run}` stands for the value with that name; `{session}`, `{email}`,
 * `{password}` and `{workspaceId}` are known from the start. An answer may have more fields than its pair shows, never
 * fewer; arrays are compared entry by entry, and `"..."` allows any further entries.
 */
export function loadScenarios(): Scenario[] {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => ({ file, pairs: JSON.parse(readFileSync(folder + file, 'utf8')) as Pair[] }));
}

/** A value of a request with its `{names}` replaced. */
export function fill<T extends Json>(value: T, bindings: Bindings): T {
  return replaceTexts(value, (text) => {
    const whole = /^\{(\w+)\}$/.exec(text)?.[1];
    if (whole !== undefined && bindings.has(whole)) return bindings.get(whole) ?? null;
    return text.replace(/\{(\w+)\}/g, (name, key: string) => String(bindings.get(key) ?? name));
  }) as T;
}

/** An answer with a fitting value for each placeholder, for a client to read. */
export function sampleOf(value: Json): Json {
  return replaceTexts(value, (text) => FORMS[PLACEHOLDER.exec(text)?.[1] ?? '']?.sample ?? text);
}

function replaceTexts(value: Json, replace: (text: string) => Json): Json {
  if (typeof value === 'string') return replace(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    return value.filter((entry) => entry !== FURTHER).map((entry: Json) => replaceTexts(entry, replace));
  }
  return Object.fromEntries(
    Object.entries(value).map(([field, entry]) => [field, replaceTexts(entry as Json, replace)]),
  );
}

/** Where a real answer differs from the one expected, as lines to read; named values go into the bindings. */
export function differences(expected: Json, actual: Json | undefined, bindings: Bindings, at = 'body'): string[] {
  if (typeof expected === 'string' && PLACEHOLDER.test(expected)) return unfit(expected, actual, bindings, at);
  if (actual !== null && typeof actual === 'object' && expected !== null && typeof expected === 'object') {
    return Array.isArray(expected)
      ? arrayDifferences(expected, actual, bindings, at)
      : Object.entries(expected).flatMap(([field, value]) =>
          differences(value as Json, (actual as Record<string, Json>)[field], bindings, `${at}.${field}`),
        );
  }
  const wanted = fill(expected, bindings);
  return wanted === actual ? [] : [`${at}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(actual)}`];
}

function arrayDifferences(expected: readonly Json[], actual: object, bindings: Bindings, at: string): string[] {
  if (Array.isArray(actual) && expected.includes(FURTHER)) return missingEntries(expected, actual, bindings, at);
  if (!Array.isArray(actual) || actual.length !== expected.length) {
    return [`${at}: expected ${expected.length} entries, got ${JSON.stringify(actual)}`];
  }
  return expected.flatMap((value, index) => differences(value, actual[index], bindings, `${at}[${index}]`));
}

/** The entries that are expected must be there, in their order. */
function missingEntries(expected: readonly Json[], actual: readonly Json[], bindings: Bindings, at: string): string[] {
  let next = 0;
  for (const wanted of expected.filter((entry) => entry !== FURTHER)) {
    const found = actual.findIndex(
      (entry, index) => index >= next && differences(wanted, entry, new Map(bindings)).length === 0,
    );
    if (found === -1) return [`${at}: no entry like ${JSON.stringify(wanted)} in ${JSON.stringify(actual)}`];
    differences(wanted, actual[found], bindings);
    next = found + 1;
  }
  return [];
}

function unfit(placeholder: string, actual: Json | undefined, bindings: Bindings, at: string): string[] {
  const [, form = '', name] = PLACEHOLDER.exec(placeholder) ?? [];
  if (actual === undefined || actual === null || !FORMS[form]?.fits(actual)) {
    return [`${at}: expected ${placeholder}, got ${JSON.stringify(actual)}`];
  }
  if (name !== undefined) bindings.set(name, actual);
  return [];
}
