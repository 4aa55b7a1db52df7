import { join } from 'node:path';
import { KeyIndex } from './key-index.js';
import { KeyRuns } from './key-runs.js';

/** Creates indexes of keys that store what exceeds the memory in files of a folder, until they are closed. */
export class KeyFiles {
  readonly #folder: string;
  readonly #runs: KeyRuns[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  newIndex(): KeyIndex {
    const runs = new KeyRuns(join(this.#folder, `keys-${this.#runs.length + 1}`));
    this.#runs.push(runs);
    return new KeyIndex(runs);
  }

  /** Removes the files. */
  close(): void {
    for (const runs of this.#runs) runs.close();
  }
}
