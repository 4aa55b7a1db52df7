/** What a column of a part list can mean, as people are asked about it. */
export const MEANINGS = {
  number: 'item number',
  name: 'name',
  description: 'description',
  quantity: 'quantity',
  refDes: 'reference designators',
  level: 'level in the tree, such as 0, 1, 2',
  path: 'dotted number in the tree, such as 1.2.1',
  parent: 'item number of the parent',
  lineNumber: 'number of the line',
  manufacturer: 'manufacturer',
  mpn: "manufacturer's number",
  supplier: 'supplier',
  supplierPartNumber: "supplier's number",
  uom: 'unit of measure',
  cost: 'cost of one piece',
  value: 'value of a part, such as 10k',
  package: 'package or footprint',
  category: 'category',
  lifecycle: 'lifecycle phase',
  revision: 'revision',
  notes: 'remarks',
  substitute: 'parts that may be used instead',
  placement: 'place on a board: no quantity, and no value of the part',
  unfitted: 'whether a part is left out of the assembly',
  fitted: 'whether a part is in the assembly',
} as const;

/** Meaning of a column in a part list. */
export type Meaning = keyof typeof MEANINGS;
/** The meanings that headers have. */
export type Role = Exclude<Meaning, 'path'>;
/** What people say that columns mean, by name; `none`: nothing that is imported. */
export type GivenMeanings = Readonly<Record<string, Meaning | 'none'>>;
