import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ready } from '../../../dist/workspace/serve.js';
import type { PlannedStep } from '../laws/answers.js';
import type { Asked } from '../laws/applies.js';
import type { Grounds } from '../laws/saved-plans.js';
import type { Dialect } from '../model/kinds.js';
import type { RowList } from '../model/rows.js';
import type { Clone, Manifest } from '../model/world.js';
import { writeFiles } from './folder.js';
import { type CheckedOut, initRepository } from './git.js';
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
  /** The manifests that it was made from. */
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
  /** The git repository of the ledger; without one it is kept in files. */
  readonly remote: string | undefined;
  /** Whether clones are git repositories. */
  readonly isVersioned: boolean;
}

/** A new folder of the project with a machine of its own: other clones share nothing with it but the ledger. */
export function openSite(
  name: string,
  stack: string,
  { root, ready, dialect, remote, isVersioned }: Surroundings,
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
  configure(site, remote);
  if (isVersioned) initRepository(folder);
  return site;
}

/** Writes the configuration, with the repository of the ledger; without one it is kept in files. */
export const configure = ({ folder, model: { stack } }: Site, remote: string | undefined): void =>
  writeFileSync(join(folder, 'sync.config.yaml'), configOf(stack, remote));

const configOf = (stack: string, remote: string | undefined): string => `stack: ${stack}
manifests: [manifests]
defaultEnvironment: one
${remote === undefined ? '' : `ledger: { git: { remote: ${JSON.stringify(remote)} } }\n`}environments:
  one: { url: "\${env.ONE_URL}" }
  two: { url: "\${env.TWO_URL}" }
`;
