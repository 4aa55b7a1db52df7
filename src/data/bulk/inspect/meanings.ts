/** What a column of a part list can mean, as people are asked about it. */
const OF_PARTS = {
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

/** What else a column of a list of suppliers or people can mean. */
const OF_OBJECTS = {
  supplierId: 'identifier of a supplier',
  accountNumber: 'our account at a supplier',
  website: 'website',
  approvalStatus: 'approval of a supplier',
  addressLabel: 'what an address is for',
  address1: 'street, or the whole address',
  houseNumber: 'number in the street',
  address2: 'second line of an address',
  city: 'city',
  state: 'state',
  province: 'province',
  postalCode: 'postal code',
  country: 'country',
  primary: 'whether an address is the primary one',
  phone: 'phone number',
  extension: 'extension of the phone number',
  mobile: 'number of a mobile phone',
  fax: 'number of a fax',
  email: 'e-mail address of a person',
  firstName: 'first name',
  lastName: 'last name',
  group: 'group of a person',
} as const;

/** What a column can mean, as people are asked about it. */
export const MEANINGS = { ...OF_PARTS, ...OF_OBJECTS } as const;

/** Meaning of a column. */
export type Meaning = keyof typeof MEANINGS;
/** Meanings that several columns of a list may have. */
export const REPEATED: readonly Meaning[] = ['phone', 'mobile', 'fax', 'placement'];
/** The meanings that headers of part lists have. */
export type Role = Exclude<keyof typeof OF_PARTS, 'path'>;
/** What people say that columns mean, by name; `none`: nothing that is imported. */
export type GivenMeanings = Readonly<Record<string, Meaning | 'none'>>;
