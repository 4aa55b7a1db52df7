import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { DexsyncError } from '#base/errors.js';
import { resume } from '#service/interceptors/resume.js';
import type { Answer } from '#service/send.js';

const lost = (): DexsyncError => new DexsyncError('NETWORK', 'The connection was lost.');

/** Chunks that come, one after the other, before the failure. */
interface Given {
  readonly chunks: readonly string[];
  readonly fails?: Error;
}

const answerOf = ({ chunks, fails }: Given): Answer => ({
  status: 200,
  headers: {},
  body: {
    stream: Readable.from(
      (async function* () {
        for (const chunk of chunks) yield Buffer.from(chunk);
        if (fails !== undefined) throw fails;
      })(),
      { objectMode: false },
    ),
  },
});

/** What a reader gets of a file that is answered so, one answer after the other, and how often it was asked for. */
async function read(...given: readonly (Given | number)[]): Promise<{ text: string; asked: number }> {
  let asked = 0;
  const send = resume(async () => {
    const one = given[asked];
    asked += 1;
    if (one === undefined) throw new Error('asked too often');
    return typeof one === 'number' ? { status: one, headers: {}, body: { text: '' } } : answerOf(one);
  });
  const { body } = await send({ method: 'GET', path: '/file', answer: 'stream' });
  if (!('stream' in body)) throw new Error('no stream');
  return { text: (await buffer(body.stream)).toString(), asked };
}

describe('a file whose answer breaks off', () => {
  test.each([
    ['at a chunk', { chunks: ['one ', 'two '], fails: lost() }],
    ['before the first byte', { chunks: [], fails: lost() }],
    ['after the last byte', { chunks: ['one two three'], fails: lost() }],
    ['within a later chunk', { chunks: ['on'], fails: lost() }],
  ])('comes whole %s', async (_, first) => {
    expect(await read(first, { chunks: ['one two', ' th', 'ree'] })).toEqual({ text: 'one two three', asked: 2 });
  });

  test('comes whole where it breaks off once more, also earlier', async () => {
    const answers = [
      { chunks: ['one two'], fails: lost() },
      { chunks: ['o'], fails: lost() },
    ];
    const whole = { chunks: ['one two three'] };
    expect(await read(...answers, whole)).toEqual({ text: 'one two three', asked: 3 });
  });

  test.each([
    ['begins with other bytes', ['two one three']],
    ['is shorter', ['one']],
  ])('fails where the repeated part %s', async (_, chunks) => {
    await expect(read({ chunks: ['one ', 'two'], fails: lost() }, { chunks })).rejects.toThrow(
      'GET /file broke off, and was answered with other bytes when it was asked again.',
    );
  });

  test('fails as before where it breaks off each time, is refused later, or the failure will not pass', async () => {
    const broken = { chunks: ['one'], fails: lost() };
    await expect(read(broken, broken, broken, broken)).rejects.toThrow('The connection was lost.');
    await expect(read(broken, 404)).rejects.toThrow('The connection was lost.');
    await expect(read({ chunks: ['one'], fails: new Error('nonsense') })).rejects.toThrow('nonsense');
  });
});
