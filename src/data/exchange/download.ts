import { rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { DexsyncError } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import { writeStream } from '#base/files/write-stream.js';
import type { ArchiveFile, ExchangeRun } from '#service/exchange-runs.js';
import { ServiceError } from '#service/service-error.js';
import { nextWait } from '../imports/run/poll.js';
import { emitTransferEvent, pause, type RunClient } from './transfer.js';

/** Wire-facts 2.1: the file cannot be downloaded at this time. */
const NOT_NOW = 3017;
const MOST_BREAKS = 3;
/** Bytes between two events. */
const STRIDE = 1 << 20;

/**
 * Downloads an archive as a stream into a new file, which is on disk when this returns. Returns its size in bytes.
 * Retries a broken connection three times, and waits for an archive that is not ready. Throws ANSWER_UNEXPECTED if the
 * size is not as announced, INTERRUPTED and DISK.
 */
export async function download(
  transfer: RunClient,
  run: ExchangeRun,
  file: ArchiveFile & { readonly name: string },
  path: string,
): Promise<number> {
  let waited = 0;
  let wait: number | undefined;
  for (let breaks = 0; ; ) {
    try {
      return await downloadOnce(transfer, run, file, path);
    } catch (error) {
      if (isBreak(error) && breaks < MOST_BREAKS) {
        breaks += 1;
        continue;
      }
      if (!(error instanceof ServiceError && error.has(NOT_NOW)) || waited >= transfer.patience) throw error;
    }
    wait = nextWait(wait);
    emitTransferEvent(transfer, { is: 'not ready', seconds: Math.round(waited / 1000) });
    await pause(transfer, wait);
    waited += wait;
  }
}

const isBreak = (error: unknown): boolean => error instanceof DexsyncError && error.code === 'NETWORK';

async function downloadOnce(
  transfer: RunClient,
  run: ExchangeRun,
  file: ArchiveFile & { readonly name: string },
  path: string,
): Promise<number> {
  const content = await transfer.runs.content(run, file);
  const counter = byteCounter((bytes) => {
    const total = file.size === undefined ? {} : { total: file.size };
    emitTransferEvent(transfer, { is: 'downloading', archive: file.name, bytes, ...total });
  });
  try {
    await writeStream(content, counter.stream, path, transfer.host.signal);
  } catch (error) {
    await rm(path, { force: true });
    if (transfer.host.signal.aborted) throw interruptedDownload(file);
    throwAsDisk(error, path);
  }
  const bytes = counter.bytes();
  if (file.size === undefined || file.size === bytes) return bytes;
  throw new DexsyncError(
    'ANSWER_UNEXPECTED',
    `The archive ${file.name} has ${bytes} bytes, but the service announced ${file.size}.`,
    { hint: 'Repeat the command to download the archive again.' },
  );
}

const interruptedDownload = ({ name }: { readonly name: string }): DexsyncError =>
  new DexsyncError('INTERRUPTED', `Interrupted while downloading ${name}.`);

function byteCounter(on: (bytes: number) => void): { readonly stream: Transform; bytes(): number } {
  let bytes = 0;
  let next = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes >= next) {
        on(bytes);
        next = bytes + STRIDE;
      }
      done(null, chunk);
    },
  });
  return { stream, bytes: () => bytes };
}
