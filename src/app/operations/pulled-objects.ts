import { omitUndefined } from '#base/omit-undefined.js';
import type { Address } from '#core/model/address.js';
import type { PullPlan } from '#delivery/pull/pull-plan.js';
import type { PulledFile } from '#delivery/pull/pulled-files.js';
import type { Connection } from '#project/connection/connection.js';
import type { LiveManifest } from '#project/live/describe-live.js';

/** The result of a pull. */
export interface Pulled {
  readonly workspace: string;
  readonly environment: string;
  readonly files: readonly PulledFile[];
  readonly written: boolean;
  readonly added: readonly Address[];
  readonly edited: readonly Address[];
  readonly unchanged: readonly Address[];
  /** Objects whose manifests differ from them: their findings say what to do. */
  readonly open: readonly Address[];
  /** Objects without a manifest; a comment and a finding say so too. */
  readonly unmanaged: readonly Unmanaged[];
  readonly adopted: readonly Address[];
  /** Kinds that the service does not list. */
  readonly unlisted: readonly string[];
  readonly requests: number;
}

/** A live object that no manifest can describe as it is. */
export interface Unmanaged {
  readonly address: Address;
  /** The service's own number, which differs between objects with the same name. */
  readonly number?: number;
  readonly reason: string;
}

/** Sorts the objects of a pull by what became of them. */
export function pulledObjects({ added, edited, unchanged, open }: PullPlan, { workspace, environment }: Connection) {
  const addresses = (all: readonly LiveManifest[]): Address[] => all.map(({ address }) => address);
  return {
    workspace: workspace.name,
    environment,
    added: addresses(added.filter(({ unwritable }) => unwritable === undefined)),
    edited: addresses(edited),
    unchanged: addresses(unchanged),
    open: addresses(open),
    unmanaged: added.flatMap(({ address, number, unwritable: reason }) =>
      reason === undefined ? [] : [{ address, ...omitUndefined({ number }), reason }],
    ),
  };
}
