import { compareSides } from '#core/engine/compare.js';
import { hasRetiredName } from '#core/engine/retired-name.js';
import type { Address } from '#core/model/address.js';
import { buildComparison, type Comparison } from '#delivery/planning/comparison.js';
import { checkMatches, type ObjectSelection, selectObjects } from '#delivery/planning/object-selection.js';
import { withConnection } from '#project/connection/connection.js';
import { checkPair, type EnvironmentPair, refuseSameWorkspace } from '#project/connection/environment-pair.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { type LiveSide, readSide } from '#project/live/live-side.js';
import { emitDiagnostics, openConfig } from '#project/project.js';

/** The workspaces and objects to compare. */
export interface DiffOptions extends Pick<ProjectOptions, 'config' | 'dataFolder'>, EnvironmentPair {
  /** Kinds as people type them; all by default. */
  readonly kinds?: readonly string[];
  /** Patterns of objects, `Kind` or `Kind/name`; all by default. */
  readonly objects?: readonly string[];
}

/** Compares the live objects of two workspaces by address. Sends no write and reads no manifest. */
export async function diff({ kinds = [], objects = [], ...options }: DiffOptions, host: Host): Promise<Comparison> {
  const config = await openConfig(options, host);
  checkPair(options, config, host);
  const meant = selectObjects(kinds, objects, config.catalog);
  const { from, to } = options;
  // Read one after the other: both may belong to one user of one service, where a second login ends the first session.
  const [before, first] = await withConnection(
    config,
    { environment: from, access: 'read' },
    host,
    async (connection) => [connection.workspace.identity, await readSide(meant, connection, host)],
  );
  return withConnection(config, { environment: to, access: 'read' }, host, async (connection) => {
    refuseSameWorkspace(options, before, connection);
    const second = await readSide(meant, connection, host);
    const found = compared({ from: first, to: second }, meant);
    emitDiagnostics(host, config.folder, found.findings);
    return found;
  });
}

function compared(sides: { readonly from: LiveSide; readonly to: LiveSide }, meant: ObjectSelection): Comparison {
  checkMatches(meant, sides);
  const isMeant = (address: Address): boolean => meant.isMeant(address) && !hasRetiredName(address);
  const names = meant.kinds.map(({ name }) => name);
  return buildComparison(sides, names, compareSides(sides, meant.kinds, isMeant));
}
