import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type Result, runInProcess } from '../../harness/run-in-process.js';
import { environment, testProject } from '../../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../../harness/test-workspace.js';
import { DATA, independently, type Row, type Source } from './tables.js';

/** An item that every new embedded workspace has: the parent of the lines. */
const PARENT = 'DX-0001';

/** Why a row stays out, as the service's error report says it. */
export interface Refusal {
  readonly row: number;
  readonly code: number;
  readonly message: string;
}

interface Mapping {
  readonly apiName?: string;
  readonly attribute?: string;
  readonly sourceName: string;
}

/** One import of a manifest: where its rows come from and which cell goes where. */
export interface Given {
  readonly name: string;
  readonly resource: string;
  readonly rows: ReadonlyMap<number, Row>;
  readonly mapping: readonly Mapping[];
  readonly mode: string;
  readonly repeated?: 'sum' | 'once' | undefined;
}

interface Document {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly definition: string;
    readonly source: Source;
    readonly repeated?: 'sum' | 'once';
    readonly resource: string;
    readonly mode: string;
    readonly options: { readonly mapping: readonly Mapping[] };
  };
}

/** What the imports of a manifest ask for, read without dexsync; its files are named from a folder. */
export async function givenBy(manifest: string, folder = DATA): Promise<Given[]> {
  const documents = parseAllDocuments(manifest).map((document) => document.toJS() as Document);
  const ofKind = (name: string): Document[] => documents.filter(({ kind }) => kind === name);
  const definitions = new Map(ofKind('ImportDefinition').map(({ metadata, spec }) => [metadata.name, spec]));
  const entries = ofKind('Import').map(async ({ metadata: { name }, spec }): Promise<Given> => {
    const { resource, mode, options } = definitions.get(spec.definition) as Document['spec'];
    const source = { ...spec.source, file: resolve(folder, spec.source.file) };
    const { repeated } = spec;
    return { name, resource, mode, rows: await independently(source), mapping: options.mapping, repeated };
  });
  return Promise.all(entries);
}

export interface Loading {
  /** The manifest. */
  readonly text: string;
  readonly workspace: TestWorkspace;
  /** The program in the folder of the files, which are used where they are, with the manifest on standard input. */
  run(args: readonly string[]): Promise<Result>;
  items(): Promise<Row[]>;
  lines(): Promise<Row[]>;
}

export async function loading(name: string, dialect: string): Promise<Loading> {
  const text = readFileSync(resolve('test/scenarios/real', name), 'utf8');
  const workspace = await testWorkspace([], dialect);
  const project = await testProject();
  return {
    text,
    workspace,
    run: (args) =>
      runInProcess({
        args: [...args, '-f', '-', '--config', join(project.folder, 'sync.config.yaml')],
        folder: DATA,
        variables: environment(workspace.variables),
        input: text,
      }),
    async items() {
      const found = await workspace.pages('/items?responseview=full');
      return found.filter(({ number }) => !String(number).startsWith('DX-')).map(shown);
    },
    async lines() {
      const { body } = await workspace.call('GET', `/items?number=${PARENT}`);
      const path = `/items/${body.results[0].guid}/bom?includeAdditionalAttributes=true`;
      const found = (await workspace.call('GET', path)).body.results;
      return found.map((line: Record<string, unknown>) => ({
        ...shown(line),
        'item.number': (line.item as { number: string }).number,
      }));
    },
  };
}

type Attributes = readonly { readonly name: string; readonly value: unknown }[];

/** Fields and custom attributes by name, as text; what is empty is nothing. */
export function shown(object: Record<string, unknown>): Row {
  const attributes = (object.additionalAttributes ?? []) as Attributes;
  const named = attributes.map(({ name, value }) => [name, value] as const);
  return Object.fromEntries(
    [...Object.entries(object), ...named].map(([key, value]) => [key, String(value ?? '')] as const),
  );
}

const NUMBERS = ['quantity', 'lineNumber', 'prototypeCost', 'standardCost', 'productionCost', 'targetPrice'];

/** A line without a quantity is one piece. */
const DEFAULTS: Row = { quantity: '1' };

/** What the workspace must show of a row: outer white space stripped, numbers by value. */
export const expectedOf = (row: Row, mapping: readonly Mapping[]): Row =>
  Object.fromEntries(
    fieldsOf(mapping).map(({ field, sourceName }) => {
      const cell = row[sourceName]?.trim() || (DEFAULTS[field] ?? '');
      return [field, NUMBERS.includes(field) && cell !== '' ? String(Number(cell)) : cell];
    }),
  );

export const picked = (found: Row, mapping: readonly Mapping[]): Row =>
  Object.fromEntries(fieldsOf(mapping).map(({ field }) => [field, found[field] ?? '']));

/** `number` of a line is its parent, which is a constant and no column. */
const fieldsOf = (mapping: readonly Mapping[]) =>
  mapping
    .filter(({ sourceName }) => sourceName !== 'Assembly')
    .map(({ apiName, attribute, sourceName }) => ({ field: attribute ?? apiName ?? '', sourceName }));

/** In an order that says nothing, since the workspace has one of its own. */
export const sorted = (rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** What `apply --json` says about one import. */
export interface Told {
  readonly refused: readonly Refusal[];
  /** Rows with an error before anything is sent. */
  readonly foreseen: readonly number[];
  readonly warnings: readonly string[];
}

interface Finding {
  readonly severity: string;
  readonly row: number;
  readonly message: string;
}

interface ImportEvent {
  readonly type: string;
  readonly address: string;
  readonly findings: { readonly kept: readonly Finding[] };
  readonly outcome: {
    readonly errors: { readonly kept: readonly Refusal[] };
    readonly findings: readonly Finding[];
  };
}

export function toldOf(name: string, out: string): Told {
  const events = out.trim().split('\n');
  const own = events
    .map((line) => JSON.parse(line) as ImportEvent)
    .filter(({ address }) => address === `Import/${name}`);
  const outcomes = own.filter(({ type }) => type === 'rows').map(({ outcome }) => outcome);
  const findings = own.filter(({ type }) => type === 'findings').flatMap((event) => event.findings.kept);
  const errors = findings.filter(({ severity }) => severity === 'error');
  return {
    refused: outcomes.flatMap(({ errors: { kept } }) => kept.map(({ row, code, message }) => ({ row, code, message }))),
    foreseen: [...new Set(errors.map(({ row }) => row))].sort((a, b) => a - b),
    warnings: outcomes.flatMap((outcome) => outcome.findings.map(({ message }) => message)),
  };
}
