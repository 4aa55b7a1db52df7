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
export function calledTwice({ address, metadata }: Manifest, objects: readonly Observed[]): string {
  const each = objects.map(calledOut);
  const list = each.every((text) => text !== '') ? `: ${each.join('; ')}` : '';
  const [name = metadata.name] = objects.map((object) => object.name);
  return (
    `${objects.length} objects of the workspace are called "${name}"${list}. Rename all but one, or choose one with ` +
    `\`dexsync adopt ${JSON.stringify(address)} --number N\`.`
  );
}
