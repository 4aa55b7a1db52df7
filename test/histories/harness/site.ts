import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ready } from '../../../dist/emulator/serve.js';
import type { PlannedStep } from '../laws/answers.js';
import type { Asked } from '../laws/applies.js';
import type { Grounds } from '../laws/saved-plans.js';
import type { Dialect } from '../model/kinds.js';
import type { RowList } from '../model/rows.js';
import type { Clone, Manifest } from '../model/world.js';
import { writeFiles } from './folder.js';
import { type CheckedOut, initRepository } from './git.js';
import type { LedgerHome } from './ledgers.js';
import { variablesOf } from './serving.js';

/** Somebody's copy of the project on the disk. */
export interface Site {
  readonly model: Clone;
  readonly folder: string;
  readonly variables: Record<string, string>;
  readonly saved: SavedPlan[];
  /** Whether the folder is a git repository. */
  readonly isVersioned: boolean;
  /** Its manifests as they were written last. */
  files: ReadonlyMap<string, string>;
}

/** A plan in a file, and what it rests on. */
export interface SavedPlan extends Grounds {
  readonly file: string;
  readonly asked: Asked;
  /** The manifests of the plan. */
  readonly manifests: readonly Manifest[];
  readonly lists: readonly RowList[];
  readonly steps: readonly PlannedStep[];
  /** What was checked out then, where the clone is a git repository. */
  readonly from: CheckedOut | undefined;
}

interface Surroundings {
  /** The folder of the whole history. */
  readonly root: string;
  readonly ready: Ready;
  readonly dialect: Dialect;
  readonly ledger: LedgerHome;
  /** Whether clones are git repositories. */
  readonly isVersioned: boolean;
}

/** A new folder of the project with a machine of its own: other clones share nothing with it but the ledger. */
export function openSite(
  name: string,
  stack: string,
  { root, ready, dialect, ledger, isVersioned }: Surroundings,
): Site {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFiles(folder, new Map());
  const variables = {
    PATH: process.env.PATH ?? '',
    HOME: join(root, 'home'),
    XDG_STATE_HOME: join(root, 'state', name),
    ...variablesOf('one', dialect, ready),
  };
  const site: Site = {
    model: { name, stack, manifests: [], lists: [] },
    folder,
    variables,
    saved: [],
    isVersioned,
    files: new Map(),
  };
  configure(site, ledger.section);
  if (isVersioned) initRepository(folder);
  return site;
}

/** Writes the configuration; `ledger`: its line of the ledger. */
export const configure = ({ folder, model: { stack } }: Site, ledger: string): void =>
  writeFileSync(join(folder, 'sync.config.yaml'), configOf(stack, ledger));

const configOf = (stack: string, ledger: string): string => `stack: ${stack}
manifests: [manifests]
defaultEnvironment: one
${ledger}environments:
  one: { url: "\${env.ONE_URL}" }
  two: { url: "\${env.TWO_URL}" }
`;
