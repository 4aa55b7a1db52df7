import { type Diagnostic, hasErrors, withHint } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import type { Catalog } from '../catalog.js';
import { addressOf } from '../model/address.js';
import type { Document, Doubt, Manifest, Metadata, Origins } from '../model/document.js';
import { isObject, type JsonObject, withoutNulls } from '../model/json.js';
import type { Job, Kind } from '../model/kind.js';
import { MISTYPED } from '../model/known-words.js';
import { pointerTo } from '../model/pointer.js';
import { envelope } from './envelope.js';
import { metadataFindings } from './metadata-findings.js';
import { checkSchema, type Subject } from './schema-check.js';
import { traitFindings } from './trait-findings.js';

/** The valid manifests, and all diagnostics; a warning does not exclude a manifest. */
export interface ValidatedManifests {
  readonly manifests: readonly Manifest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Turns documents into manifests. An invalid one yields its diagnostics and no manifest. */
export function validateManifests(documents: readonly Document[], catalog: Catalog): ValidatedManifests {
  const manifests: Manifest[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const document of documents) {
    const result = toManifest(document, catalog);
    diagnostics.push(...result.diagnostics);
    if (result.manifest !== undefined) manifests.push(result.manifest);
  }
  return { manifests, diagnostics };
}

interface ManifestResult {
  readonly manifest?: Manifest;
  readonly diagnostics: readonly Diagnostic[];
}

function toManifest({ value, origins }: Document, catalog: Catalog): ManifestResult {
  if (!isObject(value)) {
    const message = 'A manifest must be a map with apiVersion, kind, metadata and spec.';
    return onlyFinding({ severity: 'error', code: 'manifest-shape', message, origin: origins.value('') });
  }
  if (value.apiVersion === undefined && value.kind === undefined) {
    const message = 'This is not a manifest: it has neither apiVersion nor kind.';
    const hint =
      'A manifest has apiVersion, kind, metadata and spec; sync.config.yaml and files of variables are not manifests.';
    return onlyFinding({ severity: 'error', code: 'manifest-shape', message, hint, origin: origins.value('') });
  }
  const type = typeof value.kind === 'string' ? catalog.manifestTypeNamed(value.kind) : undefined;
  if (type === undefined && typeof value.kind === 'string') {
    return onlyFinding(unknownKind(value.kind, origins, catalog));
  }
  const name = manifestName(value);
  const found = checkSchema(value, { schema: envelope, base: '', origins, name });
  if (type === undefined || found.length > 0) return { diagnostics: found };
  const spec = (value.spec ?? {}) as JsonObject;
  const base = value.spec === undefined ? '' : pointerTo('', 'spec');
  const subject = { schema: type.schema, base, origins, name };
  const findings = checkSchema(spec, subject);
  if (findings.length > 0) return { diagnostics: findings };
  const metadata = withoutNulls(value.metadata) as Metadata;
  const { doubts, diagnostics } = findingsOf(type, { metadata, spec }, subject);
  if (hasErrors(diagnostics)) return { diagnostics: [...diagnostics, ...doubts.map(({ finding }) => finding)] };
  const manifest = { address: addressOf(type.name, metadata.name), kind: type.name, metadata, spec, origins };
  return { manifest: doubts.length === 0 ? manifest : { ...manifest, doubts }, diagnostics };
}

/** Checks a manifest of the right shape. Doubts are errors only if the live object has other values. */
function findingsOf(type: Kind | Job, { metadata, spec }: Pick<Manifest, 'metadata' | 'spec'>, subject: Subject) {
  const { base, origins } = subject;
  const placed = [
    ...traitFindings(spec, type.schema).map((one) => [one, origins.value(`${base}${one.pointer}`)] as const),
    ...(type.check?.(spec) ?? []).map((one) => [one, origins.key(`${base}${one.pointer}`)] as const),
  ];
  const doubts: Doubt[] = [];
  const diagnostics = metadataFindings(metadata, type, subject);
  for (const [{ code, pointer, message, hint, severity = 'error' as const }, origin] of placed) {
    const finding = withHint({ severity, code, message: `${subject.name} ${message}`, origin }, hint);
    if (code !== MISTYPED) diagnostics.push(finding);
    else if (metadata.known === 'any') diagnostics.push({ ...finding, severity: 'warning' });
    else doubts.push({ pointer, finding });
  }
  return { doubts, diagnostics };
}

const onlyFinding = (diagnostic: Diagnostic): ManifestResult => ({ diagnostics: [diagnostic] });

function manifestName(value: JsonObject): string {
  const { kind, metadata } = value;
  const name = isObject(metadata) ? metadata.name : undefined;
  return typeof kind === 'string' && typeof name === 'string' ? addressOf(kind, name) : 'This manifest';
}

function unknownKind(kind: string, origins: Origins, { allKinds, jobs, lookupNamed }: Catalog): Diagnostic {
  const known = [...allKinds, ...jobs].map(({ name }) => name);
  const isLookup = lookupNamed(kind) !== undefined;
  const hint = isLookup
    ? `Remove this manifest: ${kind} objects are looked up in the workspace and never managed.`
    : (nearestHint(kind, known) ?? '`dexsync kinds` lists them all.');
  const message = `There is no kind "${kind}".`;
  return withHint({ severity: 'error', code: 'kind-unknown', message, origin: origins.value('/kind') }, hint);
}
