import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readShape, type Shape, type WrittenShape } from './shape.js';

/** A method and a path of the published interface, as `schema/service` describes them. */
export interface Endpoint {
  readonly method: string;
  /** With `{guid}` for each GUID. */
  readonly path: string;
  readonly paged: boolean;
  /** The parameters other than `offset`, `limit` and `setnull`. */
  readonly parameters: readonly string[];
  /** Whether `?setnull=true` lets the body remove values. */
  readonly setsNull: boolean;
  readonly body: readonly BodyKey[];
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
  while (!existsSync(join(folder, 'schema', 'service'))) folder = dirname(folder);
  return join(folder, 'schema', 'service');
}

/** The keys of a body on its first level. */
export const bodyNames = (endpoint: Endpoint | undefined): string[] => [
  ...new Set(endpoint?.body.map(({ path }) => path.split(/[.[]/, 1)[0] ?? path)),
];

function readLine(line: string): Endpoint {
  const [method = '', path = '', , paged, query = '', body = '', status] = line.split('\t');
  const sample = samples[`${method} ${path}`];
  const parameters = split(query);
  return {
    method,
    path,
    paged: paged === 'yes',
    parameters: parameters.filter((name) => !['offset', 'limit', 'setnull'].includes(name)),
    setsNull: parameters.includes('setnull'),
    body: split(body).map((key) => ({ path: key.replace('*', ''), required: key.endsWith('*') })),
    status: Number(status),
    get answer() {
      return shapeOf(sample?.answer);
    },
    get request() {
      return shapeOf(sample?.request);
    },
  };
}

const shapes = new Map<WrittenShape, Shape>();

/** Reads a shape when it is first asked for, and once. */
function shapeOf(written: WrittenShape | undefined): Shape | undefined {
  if (written === undefined) return undefined;
  const shape = shapes.get(written) ?? readShape(written);
  shapes.set(written, shape);
  return shape;
}

const split = (text: string): string[] => (text === '' ? [] : text.split(','));

const folder = descriptionFolder();
const samples = JSON.parse(readFileSync(join(folder, 'shapes.json'), 'utf8')) as Readonly<Record<string, Sample>>;
const [, ...lines] = readFileSync(join(folder, 'endpoints.tsv'), 'utf8').trimEnd().split('\n');

/** All endpoints of the description, by method and path: `GET /items/{guid}`. */
const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  lines.map((line) => {
    const endpoint = readLine(line);
    return [`${endpoint.method} ${endpoint.path}`, endpoint];
  }),
);

/** The endpoint with exactly this method and path. */
export const endpointAt = (method: string, path: string): Endpoint | undefined => endpoints.get(`${method} ${path}`);
