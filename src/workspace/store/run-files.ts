import { createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * The three files of an import run (wire-facts 4: submitContent, resultContent, errorContent), and the archive of an
 * export or extract run (wire-facts 5).
 */
export type RunContent = 'submit' | 'result' | 'error' | 'archive';

/** The files of runs, in a folder beside the database. */
export class RunFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  path(run: string, content: RunContent): string {
    return join(this.#folder, `${run}.${content}`);
  }

  async receive(run: string, source: Readable): Promise<void> {
    await pipeline(source, createWriteStream(this.path(run, 'submit')));
  }

  /** Undefined: there is no such file (any more). */
  open(run: string, content: RunContent): Readable | undefined {
    const path = this.path(run, content);
    return existsSync(path) ? createReadStream(path) : undefined;
  }

  discard(run: string): void {
    rmSync(this.path(run, 'submit'), { force: true });
  }
}
