// @ts-check
import { defineKind, object, serverDefault, Type } from 'dexsync/kind';

/** @param {string} description */
const text = (description, otherwise = '') => Type.Optional(Type.String({ description, ...serverDefault(otherwise) }));

export const kind = defineKind({
  name: 'Supplier',
  summary: 'A company that we buy parts from, unrated until somebody rates it.',
  // Where the service has suppliers, and what it can do to them.
  endpoints: {
    path: '/suppliers',
    paged: true,
    can: {
      create: true,
      update: ['name', 'description', 'website', 'supplierId', 'accountNumber', 'approvalStatus'],
      delete: true,
    },
  },
  // What `spec` may say. Validation, differences, `explain` and the order of steps follow from it.
  schema: object({
    description: text('Free text.'),
    website: text("Address of the supplier's site."),
    supplierId: text('The number that your company gave it.'),
    accountNumber: text('The number that it gave your company.'),
    approvalStatus: text('Whether parts may be bought from it: unrated, approved or disapproved.', 'unrated'),
  }),
  // The service answers null where nothing was said.
  fromWire: ({ description, website, supplierId, accountNumber, approvalStatus }) => ({
    description: String(description ?? ''),
    website: String(website ?? ''),
    supplierId: String(supplierId ?? ''),
    accountNumber: String(accountNumber ?? ''),
    approvalStatus: String(approvalStatus),
  }),
});
