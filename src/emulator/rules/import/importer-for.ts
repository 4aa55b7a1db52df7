import { BomMemory } from './bom-memory.js';
import type { FileContents } from './file-contents.js';
import { importBomLine } from './import-bom-line.js';
import type { ImportContext } from './import-context.js';
import { FileImport } from './import-file.js';
import { importItem } from './import-item.js';
import { ItemFileImport } from './import-item-file.js';
import { SourcingImport } from './import-sourcing.js';
import type { Importer } from './importer.js';

/** The keys of the cell that the error report shows as `Number` (wire-facts 0, "the identifying column"). */
export interface Identity {
  readonly number: string;
  readonly guid: string;
}

const OF_ITEM: Identity = { number: 'number', guid: 'guid' };

/** Returns the keys that identify a row: those of the file, in the rows of both resources with files. */
export function identityKeys({ definition }: ImportContext): Identity {
  return definition.resource === 'ITEM_FILES' ? { number: 'file.number', guid: 'file.guid' } : OF_ITEM;
}

/** Creates the importer for the run's resource. It keeps state about rows, so every run needs its own. */
export function importerFor(context: ImportContext, contents: FileContents): Importer {
  const { resource } = context.definition;
  switch (resource) {
    case 'ITEM_SPECS':
      return { apply: (row) => importItem(row, context) };
    case 'ITEM_BOM':
      return bomImporter(context);
    case 'ITEM_FILES':
      return new ItemFileImport(context, contents);
    case 'FILE_SUMMARY':
      return new FileImport(context, contents);
    case 'ITEM_SOURCING':
      return new SourcingImport(context);
    default:
      return resource satisfies never;
  }
}

function bomImporter(context: ImportContext): Importer {
  const memory = new BomMemory(context.lines, context.items);
  return {
    apply(row) {
      memory.startRow();
      importBomLine(row, context, memory);
    },
    undoRow: () => memory.undoRow(),
  };
}
