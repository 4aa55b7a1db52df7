import type { Origin } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import type { Address } from '#core/model/address.js';
import type { AppliedStep } from '#ledger/ledger.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { type ListedObject, toListedObject } from '#project/live/listing.js';
import { liveObjects } from '#project/live/live-objects.js';
import { parseAddress } from '#project/parse-address.js';
import { openProject } from '#project/project.js';

/** The object to describe. */
export interface DescribeOptions extends ProjectOptions {
  readonly address: string;
}

/** Everything known about one object. */
export interface Description {
  readonly address: Address;
  readonly environment: string;
  readonly workspace: string;
  /** Its current state; several entries if the workspace has several objects of that name. */
  readonly live: readonly ListedObject[];
  /** The last step that dexsync applied to it in this workspace. */
  readonly lastApplied: AppliedStep | null;
  /** Where the manifests describe it. */
  readonly manifest: Origin | null;
}

/** Describes one object: its live state, its last applied step, and the place of its manifest. */
export async function describe({ address: text, ...options }: DescribeOptions, host: Host): Promise<Description> {
  const { config, linked } = await openProject(options, host);
  const { listed, name, address } = parseAddress(text, config.catalog);
  if (listed.role === 'lookup') throw notManaged(listed.type.name, name);
  const kind = listed.type;
  return withConnection(config, { ...options, access: 'read' }, host, async (connection) => {
    const manifest = linked.manifests.find((one) => one.address === address);
    const lastApplied = await connection.ledger.lastApplied(address);
    const live = await liveObjects(kind, name, connection, host).catch((error: unknown) => {
      const known = manifest !== undefined || lastApplied !== undefined;
      if (known && error instanceof DexsyncError && error.code === 'UNKNOWN_NAME') return [];
      throw error;
    });
    return {
      address,
      environment: connection.environment,
      workspace: connection.workspace.name,
      live: live.map(toListedObject),
      lastApplied: lastApplied ?? null,
      manifest: manifest?.origins.start ?? null,
    };
  });
}

const notManaged = (lookup: string, name: string): DexsyncError =>
  new DexsyncError('USAGE', `${lookup} objects are looked up in the workspace and never managed.`, {
    hint: `\`dexsync get ${lookup} "${name}"\` shows it.`,
  });
