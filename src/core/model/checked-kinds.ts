/**
 * The checked kinds, which the service shows and never writes, each with the lookup and partition whose entries are its
 * objects; null if nothing refers to them.
 */
export const CHECKED_KINDS = {
  ItemCategory: ['Category', 'ITEMS'],
  ChangeCategory: ['Category', 'CHANGES'],
  RequestCategory: ['Category', 'REQUESTS'],
  FileCategory: ['Category', 'FILES'],
  ItemAttribute: ['Attribute', 'ITEMS'],
  BomAttribute: ['Attribute', 'BOM'],
  ChangeAttribute: ['Attribute', 'CHANGES'],
  RequestAttribute: ['Attribute', 'REQUESTS'],
  SupplierAttribute: ['Attribute', 'SUPPLIERS'],
  SupplierItemAttribute: ['Attribute', 'SUPPLIER_ITEMS'],
  TicketAttribute: ['Attribute', 'TICKETS'],
  ItemLifecyclePhase: ['LifecyclePhase', ''],
  ItemNumberFormat: ['NumberFormat', ''],
  ItemRequirement: null,
  SupplierItemRequirement: null,
  ChangeRouting: ['Routing', ''],
  TicketTemplate: null,
  QualityTemplate: null,
} as const;

/** The name of a checked kind. */
export type CheckedKindName = keyof typeof CHECKED_KINDS;

/** Whether this is the name of a checked kind. */
export const isCheckedKind = (name: string): name is CheckedKindName => Object.hasOwn(CHECKED_KINDS, name);

const kindsByEntries = new Map(
  Object.entries(CHECKED_KINDS).flatMap(([kind, entries]) => (entries === null ? [] : [[entries.join(':'), kind]])),
);

/** The kind of the manifests that describe what a reference names. */
export const kindReferredTo = ({ kind, partition }: { readonly kind: string; readonly partition: string }): string =>
  kindsByEntries.get([kind, partition].join(':')) ?? kind;
