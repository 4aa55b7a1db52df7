import type { AuditRecord } from '../model/audit-record.js';
import type { Manifest } from '../model/document.js';
import type { Observed } from '../model/observation.js';

/** `#7, made by Ann Lee on 2026-11-20`, as far as it is known. */
export function calledOut({ number, audit }: Observed): string {
  const called = number === undefined ? [] : [`#${number}`];
  return [...called, ...madeBy(audit)].join(', ');
}

const madeBy = (audit: AuditRecord = {}): string[] => told('made', audit.createdBy, audit.createdAt);

/** `, last changed by Ann Lee on 2026-11-20`, or nothing where the service does not tell. */
export function changedBy(audit: AuditRecord = {}): string {
  const [text] = told('last changed', audit.changedBy, audit.changedAt);
  return text === undefined ? '' : `, ${text}`;
}

function told(what: string, who: string | undefined, when: string | undefined): string[] {
  if (who === undefined && when === undefined) return [];
  const by = who === undefined ? '' : ` by ${who}`;
  const on = when === undefined ? '' : ` on ${when.slice(0, 10)}`;
  return [`${what}${by}${on}`];
}

/** Objects of one name, told apart by whatever the service says of them. */
export const calledTwice = (manifest: Manifest, objects: readonly Observed[]): string =>
  `${howMany(manifest, objects)}. Rename all but one, or choose one with ${choosing(manifest)}.`;

/** The same where this stack made the first of them: an answer that came late may have made the others. */
export const hasTwins = (manifest: Manifest, objects: readonly Observed[]): string =>
  `${howMany(manifest, objects)}. This stack knows the first. Look whether what is there twice was made twice, and rename or ` +
  `delete the other one in the workspace. Where both are meant, choose one with ` +
  `\`dexsync forget ${JSON.stringify(manifest.address)}\` and ${choosing(manifest)}.`;

function howMany({ metadata }: Manifest, objects: readonly Observed[]): string {
  const each = objects.map(calledOut);
  const list = each.every((text) => text !== '') ? `: ${each.join('; ')}` : '';
  const [name = metadata.name] = objects.map((object) => object.name);
  return `${objects.length} objects of the workspace are called "${name}"${list}`;
}

const choosing = ({ address }: Manifest): string => `\`dexsync adopt ${JSON.stringify(address)} --number N\``;
