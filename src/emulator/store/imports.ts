/** One line of a definition's mapping (interface 2.1; `inResponse` and `notes`: wire-facts 4). */
export interface MappingEntry {
  readonly resource: string;
  readonly apiName: string;
  readonly sourceName: string;
  readonly inResponse: boolean;
  readonly notes?: string;
}

/** Mapping entries of this resource name columns of the result file (wire-facts 4). */
export const REPORT_RESOURCE = 'IMPORT';

/** The columns of a result file that report the outcome of a row (interface 2.3; wire-facts 4). */
export const REPORT_COLUMNS = ['status', 'errorCode', 'errorMessage'] as const;

/** The resources that rows can be imported as. ITEM_SOURCING is INFERRED (wire-facts 0, "sourcing import resource"). */
export const RESOURCES = ['ITEM_SPECS', 'ITEM_BOM', 'ITEM_FILES', 'FILE_SUMMARY', 'ITEM_SOURCING'] as const;

/** One of {@link RESOURCES}, in upper case. */
export type Resource = (typeof RESOURCES)[number];

/** How a run treats existing and missing records (wire-facts 4, "mode"). */
export const MODES = ['CREATE', 'EDIT', 'OVERWRITE', 'REPLACE', 'DELETE'] as const;

/** One of {@link MODES}. */
export type Mode = (typeof MODES)[number];

/** A change by GUID or number, or the body that creates one (wire-facts 4, "addToChange"). */
export type AddToChange = string | Readonly<Record<string, unknown>>;

/** The options of a definition: those valid for its mode, defaults filled in (wire-facts 4). */
export interface ImportOptions {
  readonly createDuplicates?: 'ALLOW' | 'ERROR';
  readonly matchDuplicates?: 'APPLY_TO_ALL' | 'ERROR';
  readonly matchDuplicateParents?: 'ALLOW' | 'ERROR';
  readonly removeValue?: string;
  readonly multiSelectDelimiter?: string;
  readonly checkRefDes?: 'CHECK' | 'DO_NOT_CHECK';
  readonly timeZone?: string;
  readonly stripWhiteSpace?: 'STRIP' | 'RETAIN';
  readonly numberingFreeTextHeader?: string;
  readonly useCategoryNumberFormat?: string;
  readonly fileEdition?: 'CREATE_EDITION';
  readonly addToChange?: AddToChange;
  readonly mapping?: readonly MappingEntry[];
}

/** The file type that a run gives (wire-facts 4); without it, the content of the file decides. */
export const FILE_TYPES = ['CSV', 'EXCEL_WORKSHEET'] as const;

/** One of {@link FILE_TYPES}. */
export type FileType = (typeof FILE_TYPES)[number];

/** A problem with a file as a whole (wire-facts 2.1: code 331). */
export interface Warning {
  readonly code: number;
  readonly message: string;
}
