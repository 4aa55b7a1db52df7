import { workbookOfParts } from './raw-workbook.js';

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';
const PREFIXES = ['office', 'style', 'table', 'text']
  .map((prefix) => `xmlns:${prefix}="${OASIS}:${prefix}:1.0"`)
  .join(' ');
const NAMESPACES = `${PREFIXES} xmlns:number="${OASIS}:datastyle:1.0" xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"`;

interface RawOds {
  /** The XML of `office:spreadsheet`. */
  readonly sheets: string;
  /** Styles of the content part. */
  readonly styles?: string;
  /** Styles of the styles part. */
  readonly common?: string;
  readonly manifest?: string;
  readonly namespaces?: string;
  readonly compress?: boolean;
}

/** A spreadsheet written part by part as OpenDocument 1.3 has it. */
export const rawOds = ({
  sheets,
  styles = '',
  common = '',
  manifest = '',
  namespaces = NAMESPACES,
  compress = true,
}: RawOds) =>
  workbookOfParts(
    [
      [
        'content.xml',
        `<office:document-content ${namespaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${sheets}</office:spreadsheet></office:body></office:document-content>`,
      ],
      ['styles.xml', `<office:document-styles ${NAMESPACES}>${common}</office:document-styles>`],
      [
        'META-INF/manifest.xml',
        `<manifest:manifest xmlns:manifest="${OASIS}:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml">${manifest}</manifest:file-entry></manifest:manifest>`,
      ],
    ],
    compress,
  );

/** A sheet of rows. */
export const table = (name: string, rows: string, attributes = ''): string =>
  `<table:table table:name="${name}"${attributes}>${rows}</table:table>`;

/** A row of cells; `attributes` begin with a space. */
export const row = (cells: readonly string[], attributes = ''): string =>
  `<table:table-row${attributes}>${cells.join('')}</table:table-row>`;

/** A cell of text. */
export const text = (value: string, attributes = ''): string =>
  `<table:table-cell office:value-type="string"${attributes}><text:p>${value}</text:p></table:table-cell>`;

/** A cell of any other type: its attributes and the text that it shows. */
export const cell = (attributes: string, shown?: string): string =>
  `<table:table-cell ${attributes}>${shown === undefined ? '' : `<text:p>${shown}</text:p>`}</table:table-cell>`;
