import { choose } from './enumeration-value.js';
import { refuse } from './service-error.js';

/** The tables that an export can contain (wire-facts 5.1, "exportViews"). */
export const EXPORT_VIEWS = [
  'SPECS',
  'BOM',
  'BOM_SUBSTITUTES',
  'SOURCING',
  'FILES',
  'FILES_FILE_SUMMARY',
  'SOURCING_SUPPLIERITEM_SPECS',
  'SOURCING_SUPPLIERITEM_SUPPLIER_PROFILE',
  'SOURCING_SUPPLIERITEM_FILES',
  'SOURCING_SUPPLIERITEM_FILES_FILE_SUMMARY',
] as const;

/** One of the tables of {@link EXPORT_VIEWS}, in upper case. */
export type ExportView = (typeof EXPORT_VIEWS)[number];

/** The options of an export definition, defaults filled in (wire-facts 5.1). */
export interface ExportOptions {
  readonly exportViews: readonly ExportView[];
  readonly bomLevels: 'NONE' | 'SINGLE' | 'FULL';
  readonly fileContent: { readonly item: 'NONE' | 'PRIMARY' | 'ALL'; readonly supplierItem: 'NONE' | 'ALL' };
  readonly header: 'apiName' | 'name';
  readonly revisionStatus: 'LATEST' | 'WORKING' | 'POTENTIAL';
  readonly format: 'csv' | 'json';
}

/** Options as a request gives them. */
export interface ExportOptionsBody {
  readonly exportViews?: readonly string[];
  readonly bomLevels?: string;
  readonly fileContent?: { readonly item?: string; readonly supplierItem?: string };
  readonly header?: string;
  readonly revisionStatus?: string;
  readonly format?: string;
}

/** Checks the given options and adds defaults: header and format by wire-facts 5.1, the others are ours. */
export function completeExportOptions(given: ExportOptionsBody): ExportOptions {
  const { exportViews = ['SPECS'], bomLevels = 'NONE', fileContent = {}, header = 'apiName' } = given;
  const { revisionStatus = 'LATEST', format = 'csv' } = given;
  const { item = 'NONE', supplierItem = 'NONE' } = fileContent;
  if (exportViews.length === 0) throw refuse.empty('options.exportViews');
  const views = exportViews.map((view, index) => choose(view, EXPORT_VIEWS, `options.exportViews[${index}]`));
  return {
    exportViews: [...new Set(views)],
    bomLevels: choose(bomLevels, ['NONE', 'SINGLE', 'FULL'], 'options.bomLevels'),
    fileContent: {
      item: choose(item, ['NONE', 'PRIMARY', 'ALL'], 'options.fileContent.item'),
      supplierItem: choose(supplierItem, ['NONE', 'ALL'], 'options.fileContent.supplierItem'),
    },
    header: choose(header, ['apiName', 'name'], 'options.header'),
    revisionStatus: choose(revisionStatus, ['LATEST', 'WORKING', 'POTENTIAL'], 'options.revisionStatus'),
    format: choose(format, ['csv', 'json'], 'options.format'),
  };
}
