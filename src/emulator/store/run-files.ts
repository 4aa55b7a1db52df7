import { createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * The files of an import run (wire-facts 4: submitContent, resultContent, errorContent, and the part fileContent), the
 * archive of an export or extract run (wire-facts 5), and the content of a workspace file under its own GUID.
 */
export type RunContent = 'submit' | 'files' | 'result' | 'error' | 'archive' | 'content';

/** The archive of a run of an export or extract; its size is in bytes. */
export interface Archive {
  readonly guid: string;
  readonly title: string;
  readonly size: number;
}

/** A run that has an archive once it has succeeded. */
export interface ArchivedRun {
  readonly guid: string;
  /** The GUID of the archive. */
  readonly file: string | null;
  readonly title: string | null;
  readonly size: number | null;
}

/** The archive of a run, if it has one. */
export function runArchive({ file: guid, title, size }: ArchivedRun): Archive | undefined {
  return guid === null ? undefined : { guid, title: title ?? '', size: size ?? 0 };
}

/** The file of a form, stored as the content of a workspace file. */
export interface Upload {
  readonly content: string;
  readonly name: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
}

/** The files of runs, in a folder beside the database. */
export class RunFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  path(run: string, content: RunContent): string {
    return join(this.#folder, `${run}.${content}`);
  }

  async receive(run: string, content: RunContent, source: Readable): Promise<void> {
    await pipeline(source, createWriteStream(this.path(run, content)));
  }

  /** Opens a file; undefined if it does not exist, or no longer exists. */
  open(run: string, content: RunContent): Readable | undefined {
    const path = this.path(run, content);
    return existsSync(path) ? createReadStream(path) : undefined;
  }

  discard(run: string, ...contents: readonly RunContent[]): void {
    for (const content of contents) rmSync(this.path(run, content), { force: true });
  }
}
