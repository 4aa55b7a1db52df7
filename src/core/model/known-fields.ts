import type { SpecFinding } from './kind.js';
import { unknownWord } from './known-words.js';
import type { Pointer } from './pointer.js';

/**
 * Standard fields of an item in import mappings (wire-facts 3, "Item object", and 4, "Mapping entry"). No source calls
 * the list complete.
 */
export const ITEM_FIELDS: readonly string[] = [
  'number',
  'name',
  'description',
  'guid',
  'category.name',
  'category.path',
  'category.guid',
  'lifecyclePhase.name',
  'lifecyclePhase.guid',
  'owner',
  'owner.fullName',
  'uom',
  'procurementType',
  'standardCost',
  'targetCost',
  'prototypeCost',
  'productionCost',
  'targetPrice',
  'shared',
  'offTheShelf',
  'revisionNumber',
];

/** Standard fields of a BOM line in import mappings (wire-facts 3; `number` and `guid` are those of the parent). */
export const BOM_LINE_FIELDS: readonly string[] = [
  'number',
  'guid',
  'item.number',
  'item.guid',
  'lineNumber',
  'quantity',
  'refDes',
  'notes',
];

/** Fields that item searches can compare: those above, and those that only the service sets (wire-facts 3). */
export const ITEM_SEARCH_FIELDS: readonly string[] = [
  ...ITEM_FIELDS,
  'assemblyType',
  'inAssembly',
  'isAssembly',
  'creationDateTime',
  'lastModifiedDateTime',
  'effectiveDateTime',
  'supersededDateTime',
  'creator.guid',
  'creator.email',
  'creator.fullName',
  'revisionStatus',
  'status',
  'deviated',
  'modifiedBom',
  'modifiedFiles',
  'modifiedSourcing',
  'modifiedSpecs',
];

/**
 * Fields of other records, of answers and of changes (interface 2.4; wire-facts 4, 8): never reported as typos of those
 * above.
 */
const OTHER_FIELDS: readonly string[] = [
  ...['url', 'url.api', 'url.app', 'isLocked', 'materialEffectivityDate', 'numberFormat', 'revision', 'note'],
  ...['newRevisionNumber', 'newLifecyclePhase', 'retraining', 'categoryName', 'categoryPath', 'stage'],
  ...['category', 'lifecyclePhase', 'creator', 'items.guid', 'items.number', 'supplierId'],
];

/** Fields of files, their associations and sourcing in import mappings (wire-facts 4, 8.3, 8.4; names: section 0). */
const FURTHER_FIELDS: readonly string[] = [
  ...['title', 'author', 'edition', 'format', 'location', 'storageMethodName', 'private', 'primary'],
  ...['latestEditionAssociation', 'file.number', 'file.guid', 'file.name', 'file.title', 'file.storageMethodName'],
  ...['supplier.name', 'supplier.guid', 'supplierItem.number', 'supplierItem.guid', 'supplierItem.name'],
  ...['approvalStatus.name', 'priority', 'approved', 'amlRank', 'amlSplit', 'makeItem'],
];

/** Fields of changes, requests and quality processes that triggers watch (wire-facts 6.1, 8.5 to 8.7). */
const PROCESS_FIELDS: readonly string[] = [
  ...[
    'title',
    'problem',
    'requestedAction',
    'requestCode',
    'evaluatorGroup',
    'effectivityType',
    'approvalDeadlineDateTime',
  ],
  ...[
    'effectivityPlannedDateTime',
    'expirationDateTime',
    'implementationStatus',
    'lifecycleStatus.type',
    'currentStep',
  ],
  ...['type', 'statusMode', 'targetCompletionDateTime', 'template', 'submissionDateTime', 'completionDateTime'],
];

const ALL_FIELDS: readonly string[] = [
  ...ITEM_SEARCH_FIELDS,
  ...BOM_LINE_FIELDS,
  ...OTHER_FIELDS,
  ...FURTHER_FIELDS,
  ...PROCESS_FIELDS,
];

const DOCUMENTED: ReadonlySet<string> = new Set(ALL_FIELDS.map((field) => field.toLowerCase()));

/** Whether a source names a field of any record, ignoring case. */
export const isDocumentedField = (apiName: string): boolean => DOCUMENTED.has(apiName.toLowerCase());

/**
 * Reports a field that no source documents. `known` lists the fields of its record, but others may still exist. Without
 * `known`, only typos of any field are reported. Names are compared without case.
 */
export function unknownField(
  apiName: string,
  what: string,
  known: readonly string[] | undefined,
  pointer: Pointer,
): SpecFinding[] {
  if (isDocumentedField(apiName)) return [];
  const finding = unknownWord(apiName, `uses the field "${apiName}" of ${what}`, known ?? [], ALL_FIELDS);
  return known === undefined && finding.severity === 'warning' ? [] : [{ pointer, ...finding }];
}

/** Whether a name is that of a standard field of some record, as far as the sources list them. */
export const isStandardField = (name: string): boolean => STANDARD_FIELDS.has(name.toLowerCase());

const STANDARD_FIELDS: ReadonlySet<string> = new Set(
  [...ITEM_SEARCH_FIELDS, ...BOM_LINE_FIELDS].map((field) => field.toLowerCase()),
);
