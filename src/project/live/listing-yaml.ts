import { stringify as yaml } from 'yaml';
import type { Diagnostic } from '#base/diagnostics.js';
import type { Catalog } from '#core/catalog.js';
import { inForm } from '#core/manifest/format.js';
import { manifestYaml } from '#core/manifest/manifest-yaml.js';
import { type LiveManifest, metadataOf } from './describe-live.js';
import type { ListedObject } from './listing.js';

/** Manifests as text, and what of the objects no manifest can say: it stands in comments too. */
export interface ListingYaml {
  readonly text: string;
  readonly findings: readonly Diagnostic[];
}

/** The entries of a lookup, which no manifest describes, as a list. */
export const entriesYaml = (entries: readonly ListedObject[]): ListingYaml => ({
  text: yaml(entries.map(({ name, spec }) => ({ name, ...spec }))),
  findings: [],
});

/** Live objects as manifests with everything that can be said of them, ready to be put into a file. */
export const manifestsYaml = (manifests: readonly LiveManifest[], catalog: Catalog): ListingYaml => ({
  text: inForm(manifests.map(wholeText).join('---\n'), catalog),
  findings: manifests.flatMap(({ findings }) => findings),
});

function wholeText(manifest: LiveManifest): string {
  const { kind, whole, leftOut, unwritable } = manifest;
  const text = manifestYaml({ kind, metadata: metadataOf(manifest), spec: whole });
  const notes = leftOut.map((place) => `Left out: ${place}\n`).join('');
  return unwritable === undefined
    ? toComment(notes) + text
    : toComment(`${notes}Not a manifest: ${unwritable}\n${text}`);
}

/** Every line of a text as a comment of YAML. */
const toComment = (text: string): string => text.replaceAll(/^(?=.)/gm, '# ');
