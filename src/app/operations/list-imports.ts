import { type FoundImport, type KnownImport, knownImports } from '#data/imports/known-imports.js';
import { withJournals } from '#project/connection/environment-journals.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/** Every import that was sent to the workspace. */
export interface ListedImports {
  readonly environment: string;
  /** The newest first. */
  readonly imports: readonly KnownImport[];
}

/** Lists every import sent to a workspace from the journals alone. Spends no request if the workspace is known. */
export async function listImports(options: ProjectOptions, host: Host): Promise<ListedImports> {
  const config = await openConfig(options, host);
  return withJournals(config, options.environment, host, async ({ environment, journals }) => {
    const found = await knownImports(journals);
    return { environment, imports: found.map(withoutRequest) };
  });
}

/** Removes the fields that are only needed to resume an import. */
export function withoutRequest({
  job: _,
  request: __,
  workspace: ___,
  committedBy: ____,
  facts: _____,
  ...known
}: FoundImport): KnownImport {
  return known;
}
