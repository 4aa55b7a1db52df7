import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readShape, type Shape, type WrittenShape } from './shape.js';

/** A method and a path of the published interface, as `schema/service` describes them. */
export interface Endpoint {
  readonly paged: boolean;
  /** The parameters other than `offset`, `limit` and `setnull`. */
  readonly parameters: readonly string[];
  /** Whether `?setnull=true` lets a null in the body remove a value. */
  readonly setsNull: boolean;
  /** The keys of a body, be it JSON or a form, without those of files. */
  readonly body: readonly BodyKey[];
  /** The parts of a form that it takes in place of a JSON body. */
  readonly form: readonly BodyKey[];
  readonly status: number;
  /** The form of its answer, and of its body; undefined if no sample shows one. */
  readonly answer: Shape | undefined;
  readonly request: Shape | undefined;
}

/** A key of a body: `category.guid`, `routings[].guid`. */
export interface BodyKey {
  readonly path: string;
  readonly required: boolean;
}

interface Sample {
  readonly answer?: WrittenShape;
  readonly request?: WrittenShape;
}

/** The folder of the description: sources, compiled and bundled modules are at different depths in the package. */
function descriptionFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'schema', 'service')) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, 'schema', 'service');
}

const firstLevel = ({ path }: BodyKey): string => path.split(/[.[]/, 1)[0] ?? path;

/** The keys of a body on its first level. */
export const bodyNames = (endpoint: Endpoint | undefined): string[] => [...new Set(endpoint?.body.map(firstLevel))];

/** The keys of a body that give one key of its first level. */
export const bodyKeys = (endpoint: Endpoint | undefined, name: string): BodyKey[] =>
  endpoint?.body.filter((key) => firstLevel(key) === name) ?? [];

/** The media types of a body that may also come as a form, with a file. */
export const bodyMediaTypes = ({ form = [] }: Partial<Endpoint> = {}): { readonly consumes?: string[] } =>
  form.length === 0 ? {} : { consumes: ['application/json', 'multipart/form-data'] };

const split = (text: string): string[] => (text === '' ? [] : text.split(','));

const readKey = (key: string): BodyKey => ({ path: key.replace('*', ''), required: key.endsWith('*') });

const readSample = (written: WrittenShape | undefined): Shape | undefined =>
  written === undefined ? undefined : readShape(written);

const folder = descriptionFolder();
const samples = JSON.parse(readFileSync(join(folder, 'shapes.json'), 'utf8')) as Readonly<Record<string, Sample>>;

/** The lines of all endpoints, by method and path: `GET /items/{guid}`. */
const lines: ReadonlyMap<string, string> = new Map(
  readFileSync(join(folder, 'endpoints.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => [line.split('\t', 2).join(' '), line]),
);

const known = new Map<string, Endpoint | undefined>();

/** The endpoint with exactly this method and path. It is read when it is first asked for: most never are. */
export function endpointAt(method: string, path: string): Endpoint | undefined {
  const key = `${method} ${path}`;
  if (!known.has(key)) known.set(key, readEndpoint(key));
  return known.get(key);
}

/** The documented form of the entries of a list. */
export const entryShape = (list: Endpoint | undefined): Shape | undefined =>
  list?.answer?.keys?.get('results')?.shape.items;

const isOfFormOnly = ({ path }: BodyKey, keys: readonly BodyKey[]): boolean =>
  !/(^|\.)content$/.test(path) && keys.every((key) => key.path !== path);

function readEndpoint(key: string): Endpoint | undefined {
  const line = lines.get(key);
  if (line === undefined) return undefined;
  const [, , , paged, query = '', bodies = '', status = ''] = line.split('\t');
  const [, body = '', parts = ''] = /^(.*?)(?:(?:; )?multipart: (.*))?$/.exec(bodies) ?? [];
  const [keys, form] = [split(body).map(readKey), split(parts).map(readKey)];
  const { answer, request } = samples[key] ?? {};
  return {
    paged: paged === 'yes',
    parameters: split(query).filter((name) => !['offset', 'limit', 'setnull'].includes(name)),
    setsNull: split(query).includes('setnull'),
    body: [...keys, ...form.filter((part) => isOfFormOnly(part, keys)).map(({ path }) => ({ path, required: false }))],
    form,
    // Where pages name two, the first is that of the JSON body.
    status: Number.parseInt(status, 10),
    answer: readSample(answer),
    request: readSample(request),
  };
}
