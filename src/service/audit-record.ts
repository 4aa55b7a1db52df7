import type { AuditRecord } from '#core/model/audit-record.js';
import { isObject, type Json, type JsonObject } from '#core/model/json.js';

/** Field names of each fact in answers (wire-facts 6.1 and 7: triggers write `creationDatetime`, with a small t). */
const NAMES = {
  createdAt: ['creationDateTime', 'creationDatetime'],
  createdBy: ['creator'],
  changedAt: ['lastModifiedDateTime'],
  changedBy: ['modifiedBy', 'modifyUser'],
} as const;

/** Reads who created and changed an object and when, as far as the service's answer has it. */
export function readAuditRecord(body: JsonObject): AuditRecord {
  const facts = Object.entries(NAMES).flatMap(([fact, names]) => {
    const text = names.map((name) => factText(body[name])).find((found) => found !== undefined);
    return text === undefined ? [] : [[fact, text] as const];
  });
  return Object.fromEntries(facts);
}

/** Reads a time, or a person's full name or e-mail address. */
function factText(value: Json | undefined): string | undefined {
  const fact = isObject(value) ? (value.fullName ?? value.email) : value;
  return typeof fact === 'string' && fact !== '' ? fact : undefined;
}
