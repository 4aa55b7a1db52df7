import type { AuditRecord } from '#core/model/audit-record.js';
import { isObject, type Json, type JsonObject } from '#core/model/json.js';

/** Each fact under the names that the interface has for it (wire-facts 6.1 and 7: triggers write `creationDatetime`, small). */
const NAMES = {
  createdAt: ['creationDateTime', 'creationDatetime'],
  createdBy: ['creator'],
  changedAt: ['lastModifiedDateTime'],
  changedBy: ['modifiedBy', 'modifyUser'],
} as const;

/** Who made and changed an object and when, from whatever the service's answer tells of it. */
export function auditRecordOf(body: JsonObject): AuditRecord {
  const facts = Object.entries(NAMES).flatMap(([fact, names]) => {
    const text = names.map((name) => factText(body[name])).find((found) => found !== undefined);
    return text === undefined ? [] : [[fact, text] as const];
  });
  return Object.fromEntries(facts);
}

/** A time, or a person's full name or e-mail address. */
function factText(value: Json | undefined): string | undefined {
  const fact = isObject(value) ? (value.fullName ?? value.email) : value;
  return typeof fact === 'string' && fact !== '' ? fact : undefined;
}
