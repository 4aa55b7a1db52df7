import type { World } from '../store/item-settings.js';
import type { StandardField } from './standard-field.js';

type FurtherWorld = Exclude<World, 'ITEMS' | 'BOM'>;

const number = { apiName: 'number', name: 'Number', fieldType: 'SINGLE_LINE_TEXT', required: true } as const;
const name = { apiName: 'name', name: 'Name', fieldType: 'SINGLE_LINE_TEXT', required: true, maxLength: 1000 } as const;
const title = { ...name, apiName: 'title', name: 'Title' } as const;
const description = {
  apiName: 'description',
  name: 'Description',
  fieldType: 'MULTI_LINE_TEXT',
  maxLength: 4000,
} as const;
const text = (apiName: string, label: string): StandardField => {
  return { apiName, name: label, fieldType: 'SINGLE_LINE_TEXT' };
};
const date = (apiName: string, label: string): StandardField => ({ apiName, name: label, fieldType: 'DATE' });
const choice = (apiName: string, label: string, ...possibleValues: readonly string[]): StandardField => {
  return { apiName, name: label, fieldType: 'FIXED_DROP_DOWN', possibleValues };
};

/**
 * A few standard fields for each world besides items and BOM lines. Of these worlds, the workspace has objects only of
 * files, suppliers and supplier items; the others let definitions name their attributes. ASSUMED: no source lists the
 * fields; the names of the worlds are those of wire-facts 0 and endpoints.md.
 */
export const FURTHER_FIELDS: Readonly<Record<FurtherWorld, readonly StandardField[]>> = {
  CHANGES: [
    number,
    title,
    description,
    choice('approvalDeadlineType', 'Approval Deadline', 'NONE', 'DATE'),
    choice('effectivityType', 'Effectivity', 'PERMANENT_ON_APPROVAL', 'PERMANENT_ON_DATE', 'TEMPORARY'),
    date('plannedEffectivityDateTime', 'Planned Effectivity'),
    { apiName: 'enforceApprovalDeadline', name: 'Enforce Approval Deadline', fieldType: 'BOOLEAN' },
  ],
  REQUESTS: [
    number,
    title,
    description,
    choice('urgency', 'Urgency', 'LOW', 'MEDIUM', 'HIGH'),
    date('targetCompletionDateTime', 'Target Completion'),
  ],
  SUPPLIERS: [
    name,
    text('supplierId', 'Supplier ID'),
    text('accountNumber', 'Account Number'),
    text('website', 'Website'),
    description,
  ],
  SUPPLIER_ITEMS: [
    { ...number, name: 'Supplier Item Number', maxLength: 200 },
    { ...name, name: 'Supplier Item Name' },
    { ...description, name: 'Supplier Item Description' },
    text('uom', 'Unit of Measure'),
    { apiName: 'leadTime', name: 'Lead Time', fieldType: 'NUMBER', positive: true },
    { ...text('countryOfOrigin', 'Country of Origin'), readOnly: true },
  ],
  QUALITY_PROCESSES: [number, name, description, date('targetCompletionDate', 'Target Completion')],
  FILES: [
    { ...text('guid', 'File GUID'), reference: true },
    { ...number, name: 'File Number', maxLength: 200 },
    { ...title, name: 'File Title' },
    { ...text('name', 'File Name'), maxLength: 1000 },
    { ...text('category.name', 'File Category'), reference: true },
    { ...text('category.path', 'File Category Path'), reference: true },
    { ...text('category.guid', 'File Category GUID'), reference: true },
    { ...description, name: 'File Description' },
    text('author', 'Author'),
    text('edition', 'Edition'),
    text('format', 'Format'),
    { ...text('location', 'Location'), maxLength: 2000 },
    choice('storageMethodName', 'Storage Method', 'FILE', 'WEB', 'PLACE_HOLDER'),
    { apiName: 'private', name: 'Private', fieldType: 'BOOLEAN' },
  ],
  TICKETS: [
    number,
    name,
    description,
    choice('priority', 'Priority', 'LOW', 'MEDIUM', 'HIGH'),
    date('dueDateTime', 'Due'),
  ],
};
