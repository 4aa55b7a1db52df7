import { family } from '../family/family.js';
import { flag } from '../family/plain-fields.js';
import { name, nullableText } from '../family/text-fields.js';
import { unique } from '../family/traits.js';

/**
 * The approval statuses of suppliers; the fields are ours, since no source shows any. Interface 4.6 writes the path
 * with a trailing slash, so both paths are answered.
 */
export const approvalStatuses = family({
  path: '/settings/suppliers/approvalstatuses',
  alsoAt: ['/settings/suppliers/approvalstatuses/'],
  one: 'an approval status',
  many: 'approval statuses of suppliers',
  table: 'approval_statuses',
  fields: { name: unique(name(), 'an approval status'), description: nullableText(), active: flag(true) },
  search: { guid: 'text', name: 'text' },
});
