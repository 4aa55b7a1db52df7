import { object } from '../model/fields.js';
import { pickValues } from '../model/json.js';
import { Type } from '../model/schema.js';
import { defineKind } from './define-kind.js';

const text = (description: string) => Type.Optional(Type.String({ description, minLength: 1 }));

/** A supplier (wire-facts 8.4). Its addresses and phone numbers, a request each, stay as they are. */
export const supplier = defineKind({
  name: 'Supplier',
  summary: 'A company that parts are bought from.',
  collection: 'suppliers',
  schema: object({
    description: text('Free text.'),
    supplierId: text('The identifier under which other systems know it.'),
    accountNumber: text('Our account there.'),
    website: text('Its address on the web.'),
    approvalStatus: Type.Optional(
      Type.String({ enum: ['approved', 'unrated', 'disapproved'], description: 'Whether parts may be bought there.' }),
    ),
  }),
  fromWire: (body) => pickValues(body, ['description', 'supplierId', 'accountNumber', 'website', 'approvalStatus']),
});
