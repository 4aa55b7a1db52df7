import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ajv, type ValidateFunction } from 'ajv';
import { openHosted } from './hosted-workspace.js';
import type { Answer } from './session.js';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Content>> }>>>
  >;
  readonly components: { readonly responses: Readonly<Record<string, Content>> };
}

interface Place {
  readonly fits: RegExp;
  readonly path: string;
}

/** The document of a dialect, with its paths by depth: of `/items/bom` and `/items/{guid}` the first one goes first. */
interface Described {
  readonly document: Document;
  readonly places: ReadonlyMap<number, readonly Place[]>;
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
const validators = new WeakMap<object, ValidateFunction>();
const documents = new Map<string, Promise<Described>>();

/** Says how a JSON answer differs from the service's own OpenAPI document. */
export async function differencesFromDocument(
  dialect: string,
  method: string,
  path: string,
  { status, body, text }: Pick<Answer, 'status' | 'body' | 'text'>,
): Promise<string[]> {
  const described = documents.get(dialect) ?? documentOf(dialect).then(describe);
  documents.set(dialect, described);
  const { document, places } = await described;
  const own = path.split('?', 1)[0] ?? path;
  const place = places.get(depthOf(own))?.find(({ fits }) => fits.test(own))?.path;
  const operation = place === undefined ? undefined : document.paths[place]?.[method.toLowerCase()];
  if (operation === undefined || status >= 500) return [];
  const answers = status >= 400 ? document.components.responses.Refusal : operation.responses[status];
  if (answers === undefined) return [`${status} is not documented`];
  const schema = answers.content?.['application/json']?.schema;
  if (schema === undefined) return answers.content === undefined && text !== '' ? ['no body is documented'] : [];
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  return validate(body) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

const depthOf = (path: string): number => path.split('/').length;

function describe(document: Document): Described {
  const places = new Map<number, Place[]>();
  const paths = Object.keys(document.paths);
  for (const path of paths.sort((one, other) => one.split('{').length - other.split('{').length)) {
    const fits = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    places.set(depthOf(path), [...(places.get(depthOf(path)) ?? []), { fits, path }]);
  }
  return { document, places };
}

/** Building a document takes seconds: one worker builds it, and all others of this run wait for its file. */
async function documentOf(dialect: string): Promise<Document> {
  const file = join(tmpdir(), `openapi-${dialect}.json`);
  for (;;) {
    const known = await readFile(file, 'utf8').catch(() => undefined);
    if (known !== undefined) return JSON.parse(known);
    const isOurs = await mkdir(`${file}.begun`).then(
      () => true,
      () => false,
    );
    if (isOurs) await writeDocument(file, dialect).finally(() => rm(`${file}.begun`, { recursive: true }));
    else await sleep(20);
  }
}

async function writeDocument(file: string, dialect: string): Promise<void> {
  const workspace = await openHosted('--dialect', dialect);
  const text = await (await fetch(`${workspace.url}/openapi.json`)).text();
  await workspace.stop();
  await writeFile(`${file}.written`, text);
  await rename(`${file}.written`, file);
}
