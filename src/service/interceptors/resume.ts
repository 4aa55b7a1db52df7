import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { DexsyncError } from '#base/errors.js';
import { nameOfRequest } from '../request-name.js';
import type { Answer, Interceptor, Request } from '../send.js';
import { isNetwork, MOST_FAULTS } from './retry.js';

/**
 * Requests a file again, at most `MOST_FAULTS` times, if its answer breaks off, and continues with the missing bytes.
 * The service has no ranges, so the earlier bytes come again, and must be the same.
 */
export const resume: Interceptor = (next) => async (request) => {
  const answer = await next(request);
  if (!('stream' in answer.body)) return answer;
  const whole = wholeFile(answer.body.stream, request, () => next(request));
  return { ...answer, body: { stream: Readable.from(whole, { objectMode: false }) } };
};

async function* wholeFile(
  stream: Readable,
  request: Request,
  askAgain: () => Promise<Answer>,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  let length = 0;
  let content: AsyncIterable<Buffer> = stream;
  for (let faults = 1; ; faults += 1) {
    try {
      for await (const chunk of content) {
        hash.update(chunk);
        length += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (faults > MOST_FAULTS || !isNetwork(error)) throw error;
      const { body } = await askAgain();
      if (!('stream' in body)) throw error;
      content = bytesAfter(body.stream, length, hash.copy().digest(), request);
    }
  }
}

/** Yields what follows the first `length` bytes. Throws ANSWER_UNEXPECTED if these differ from the earlier ones. */
async function* bytesAfter(
  content: AsyncIterable<Buffer>,
  length: number,
  digest: Buffer,
  request: Request,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  let left = length;
  for await (const chunk of content) {
    const before = chunk.subarray(0, left);
    left -= before.length;
    if (before.length > 0 && left === 0 && !hash.update(before).digest().equals(digest)) throw otherFile(request);
    if (left > 0) hash.update(before);
    else if (chunk.length > before.length) yield chunk.subarray(before.length);
  }
  if (left > 0) throw otherFile(request);
}

const otherFile = (request: Request): DexsyncError =>
  new DexsyncError(
    'ANSWER_UNEXPECTED',
    `${nameOfRequest(request)} broke off, and was answered with other bytes when it was asked again.`,
  );
