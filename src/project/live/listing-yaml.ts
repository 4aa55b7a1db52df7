import { stringify as yaml } from 'yaml';
import type { Diagnostic } from '#base/diagnostics.js';
import type { Catalog } from '#core/catalog.js';
import { formatIfPossible } from '#core/manifest/format.js';
import { manifestYaml } from '#core/manifest/manifest-yaml.js';
import { type LiveManifest, liveMetadata } from './describe-live.js';
import type { ListedObject } from './listing.js';

/** Manifests as text, and findings about parts that no manifest can say, which comments contain too. */
export interface ListingYaml {
  readonly text: string;
  readonly findings: readonly Diagnostic[];
}

/** Writes the entries of a lookup as a list, since no manifest describes them. */
export const entriesYaml = (entries: readonly ListedObject[]): ListingYaml => ({
  text: yaml(entries.map(({ name, spec }) => ({ name, ...spec }))),
  findings: [],
});

/** Writes live objects as complete manifests, ready to be put into a file. */
export const manifestsYaml = (manifests: readonly LiveManifest[], catalog: Catalog): ListingYaml => ({
  text: formatIfPossible(manifests.map(wholeText).join('---\n'), catalog),
  findings: manifests.flatMap(({ findings }) => findings),
});

function wholeText(manifest: LiveManifest): string {
  const { kind, whole, leftOut, unwritable } = manifest;
  const text = manifestYaml({ kind, metadata: liveMetadata(manifest), spec: whole });
  const notes = leftOut.map((place) => `Left out: ${place}\n`).join('');
  return unwritable === undefined
    ? toComment(notes) + text
    : toComment(`${notes}Not a manifest: ${unwritable}\n${text}`);
}

/** Turns every line of a text into a YAML comment. */
const toComment = (text: string): string => text.replaceAll(/^(?=.)/gm, '# ');
