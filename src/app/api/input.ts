import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DexsyncError, reasonOf } from '#base/errors.js';
import type { Host } from '#project/host.js';
import type { RequestBody } from '#service/send.js';
import { buildBody, type RequestField, typedValue } from './fields.js';

/** A field as it was given: text, or a value (`true`, `12`, `@file`). Without a text, `name[]` is an empty list. */
export interface GivenField {
  readonly name: string;
  readonly text?: string;
  readonly as: 'text' | 'value';
}

/**
 * Reads the files that fields name. Throws USAGE if standard input is requested twice, since it can be read once, and
 * FILE_UNREADABLE.
 */
export async function readFields(
  given: readonly GivenField[],
  input: string | undefined,
  host: Host,
): Promise<RequestField[]> {
  const fromInput = given.filter(({ as, text }) => as === 'value' && text === '@-').length + (input === '-' ? 1 : 0);
  if (fromInput > 1) {
    throw new DexsyncError('USAGE', 'Standard input is used more than once.', {
      hint: 'Save one of the inputs to a file.',
    });
  }
  return Promise.all(
    given.map(async ({ name, text, as }) => {
      if (text === undefined) return { name };
      if (as === 'text') return { name, value: text };
      const isFile = text.startsWith('@');
      return { name, value: isFile ? (await readInput(text.slice(1), host)).toString('utf8') : typedValue(text) };
    }),
  );
}

/**
 * Returns the body of a request: the content of `--input` unchanged, else the fields, else nothing. Throws USAGE if the
 * input is not JSON, and FILE_UNREADABLE.
 */
export async function readRequestBody(
  input: string | undefined,
  fields: readonly RequestField[],
  host: Host,
): Promise<{ body?: RequestBody }> {
  if (input === undefined) return fields.length === 0 ? {} : { body: { json: buildBody(fields) } };
  const bytes = await readInput(input, host);
  try {
    JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new DexsyncError('USAGE', `${input === '-' ? 'Standard input' : input} is not JSON: ${reasonOf(error)}.`, {
      hint: 'Request bodies are JSON. `dexsync import FILE` uploads files.',
    });
  }
  return { body: { contentType: 'application/json', size: bytes.length, open: () => Readable.from([bytes]) } };
}

/** Reads a file of the command line, or standard input for `-`. */
async function readInput(file: string, { cwd, input }: Host): Promise<Buffer> {
  if (file === '-') return input === undefined ? Buffer.alloc(0) : buffer(Readable.from(input()));
  try {
    return await readFile(resolve(cwd, file));
  } catch (error) {
    throw new DexsyncError('FILE_UNREADABLE', `${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}
