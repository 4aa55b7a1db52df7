import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { throwAsUnwritable } from '#base/files/disk-error.js';
import { pathExists } from '#base/files/path-exists.js';
import { replaceFile } from '#base/files/replace-file.js';
import { redactChunks } from '#base/secrets.js';
import type { Json } from '#core/model/json.js';
import type { Host } from '#project/host.js';
import type { Answer } from '#service/send.js';

/**
 * An answer of the service as `dexsync api` returns it: JSON, the received bytes, or the name of the file that contains
 * it.
 */
export interface ApiAnswer {
  readonly status: number;
  /** Without headers that grant access. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly json: Json } | { readonly bytes: Uint8Array } | { readonly file: string };
}

/** Where an answer goes instead of standard output. */
export interface OutputFile {
  readonly file: string;
  readonly existing: 'kept' | 'replaced';
}

/** How to process an answer. */
export interface Delivery {
  readonly query: ((answer: Json) => Json) | undefined;
  readonly output: OutputFile | undefined;
  readonly host: Host;
  /** The name of the header that has the session. */
  readonly session: string;
}

type Head = Pick<ApiAnswer, 'status' | 'headers'>;

/**
 * Applies the query and the output file to an answer. Without a query, streams it to the file and does not keep it in
 * memory. Throws ANSWER_NOT_JSON if a query has no JSON to work on, FILE_UNWRITABLE, and what the query throws.
 */
export async function takeAnswer(answer: Answer, delivering: Delivery): Promise<ApiAnswer> {
  const { query, output, session } = delivering;
  const head = { status: answer.status, headers: withoutSecrets(answer.headers, session) };
  const content = 'stream' in answer.body ? answer.body.stream : Readable.from([answer.body.text]);
  if (query === undefined && output !== undefined) return saveAnswer(head, content, output, delivering.host);
  const bytes = await buffer(content);
  const isJson = /json/i.test(answer.headers['content-type'] ?? '') && bytes.length > 0;
  const json =
    isJson || query !== undefined ? parseAnswer(bytes, query === undefined ? 'as it came' : 'needed') : undefined;
  return json === undefined ? { ...head, body: { bytes } } : deliverAnswer(head, json, delivering);
}

/** `needed`: throws if it is not JSON, since a query then has nothing to work on. */
function parseAnswer(bytes: Buffer, use: 'needed' | 'as it came'): Json | undefined {
  try {
    return JSON.parse(bytes.length === 0 ? 'null' : bytes.toString('utf8')) as Json;
  } catch (error) {
    if (use === 'as it came') return undefined;
    throw new DexsyncError(
      'ANSWER_NOT_JSON',
      `The answer is not JSON, so \`--query\` cannot be applied: ${reasonOf(error)}.`,
      {
        hint: 'Leave out `--query`, and save the answer with `--output`.',
      },
    );
  }
}

/**
 * Applies the query and the output file to an answer whose JSON is known already. Throws as the query does, and
 * FILE_UNWRITABLE.
 */
export async function deliverAnswer(head: Head, answer: Json, { query, output, host }: Delivery): Promise<ApiAnswer> {
  const json = query === undefined ? answer : query(answer);
  if (output === undefined) return { ...head, body: { json } };
  return saveAnswer(head, `${JSON.stringify(json, undefined, 2)}\n`, output, host);
}

async function saveAnswer(head: Head, content: string | Readable, output: OutputFile, host: Host): Promise<ApiAnswer> {
  const path = resolve(host.cwd, output.file);
  try {
    const shown = typeof content === 'string' ? host.secrets.redact(content) : redactChunks(content, host.secrets);
    await replaceFile(path, shown, { mayReplace: () => checkOutput(output, host) });
  } catch (error) {
    throwAsUnwritable(error, 'It was not changed.', output.file);
  }
  return { ...head, body: { file: output.file } };
}

const withoutSecrets = (headers: Answer['headers'], session: string): Answer['headers'] =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => name !== session.toLowerCase() && !/cookie|session|token|authorization/.test(name),
    ),
  );

/** Throws USAGE if the file exists and may not be replaced. */
export async function checkOutput({ file, existing }: OutputFile, host: Host): Promise<void> {
  if (existing === 'replaced' || !(await pathExists(resolve(host.cwd, file)))) return;
  throw new DexsyncError('USAGE', `${file} already exists and is not overwritten.`, {
    hint: 'Give another file, or use `--force`.',
  });
}
