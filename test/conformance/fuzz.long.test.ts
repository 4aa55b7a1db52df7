import { describe, expect, onTestFinished, test } from 'vitest';
import { isObject } from '#core/model/json.js';
import { openHosted } from '../harness/hosted-workspace.js';
import { type Method, Session, send } from '../harness/session.js';
import { type Random, randomFrom } from '../histories/harness/random.js';

const SEED = 20_261_127;
const ROUNDS = 12;

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly examples?: readonly string[];
}

interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly body: Schema | undefined;
  readonly isForm: boolean;
}

type Json = unknown;

/** What answers showed so far: the objects of each list with the GUIDs of its path, and the values of each key. */
class Seen {
  readonly entries = new Map<string, string[][]>();
  readonly #values = new Map<string, Json[]>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  pick<T>(all: readonly T[] | undefined): T | undefined {
    if (all === undefined || all.length === 0) return undefined;
    // Newer ones more often: they are in the state in which they were created.
    return all[Math.max(this.#random.below(all.length), this.#random.below(all.length))];
  }

  chance(percent: number): boolean {
    return this.#random.chance(percent);
  }

  enter(path: string, guids: readonly string[], answer: Json): void {
    this.#enterValues(collectionOf(path), '', answer);
    if (!isObject(answer)) return;
    const results = Array.isArray(answer.results) ? answer.results : [answer];
    for (const entry of results) {
      if (isObject(entry) && typeof entry.guid === 'string') this.#enterEntry(path, [...guids, entry.guid]);
    }
  }

  /** Forgets what was deleted, and what belonged to it. */
  leave(guids: readonly string[]): void {
    const isBelow = (one: readonly string[]): boolean => guids.every((guid, index) => one[index] === guid);
    for (const [path, known] of this.entries) {
      this.entries.set(
        path,
        known.filter((one) => !isBelow(one)),
      );
    }
  }

  /** GUIDs for the parameters of a path, each of a list below those before it. */
  guidsFor(path: string): string[] | undefined {
    const count = path.split('{').length - 1;
    if (count === 0) return [];
    const owner = path.slice(0, path.lastIndexOf('/{'));
    const found = this.pick(this.entries.get(templateOf(owner)));
    return found?.slice(0, count);
  }

  valueFor(collection: string, key: string): Json {
    if (key.endsWith('.guid')) return this.#guidFor(collection, key.slice(0, -'.guid'.length));
    return this.pick(this.#values.get(`${collection} ${key}`));
  }

  /** The GUID of an object of the list that a key names: `template` of a ticket, `newItemRevision`. */
  #guidFor(collection: string, key: string): string | undefined {
    const list = pluralOf(key);
    const known = [`/settings/${collection}/${list}`, `/${list}`, `/settings/${list}`, `/settings/items/${list}`];
    const found = [...known, ...this.entries.keys()].find(
      (path) => path.endsWith(`/${list}`) && (this.entries.get(path)?.length ?? 0) > 0,
    );
    return found === undefined ? undefined : this.pick(this.entries.get(found))?.at(-1);
  }

  #enterEntry(path: string, guids: string[]): void {
    const known = this.entries.get(path) ?? [];
    if (known.some((one) => one.join() === guids.join())) return;
    this.entries.set(path, [...known, guids]);
  }

  #enterValues(collection: string, key: string, value: Json): void {
    if (Array.isArray(value)) for (const one of value) this.#enterValues(collection, key, one);
    else if (isObject(value)) {
      for (const [name, inner] of Object.entries(value)) {
        this.#enterValues(collection, name === 'guid' ? `${key}.guid` : name, inner);
      }
    } else if (value !== null) {
      const place = `${collection} ${key}`;
      const known = this.#values.get(place) ?? [];
      if (known.length < 50 && !known.includes(value)) this.#values.set(place, [...known, value]);
    }
  }
}

/** Keys whose names differ from those of the lists of their objects. */
const ALIASES: Readonly<Record<string, string>> = {
  ...{ newItemRevision: 'item', toLifecyclePhase: 'lifecyclePhase', newLifecyclePhase: 'lifecyclePhase' },
  ...{
    mfrItem: 'supplierItem',
    vendorItem: 'supplierItem',
    qualityProcess: 'qualityProcesses',
    trainingplan: 'trainingPlan',
  },
  ...{ manager: 'user', assignee: 'user', owner: 'user', administrators: 'users', affected: 'item' },
  ...{ quality: 'qualityProcesses', additionalAttributes: 'attribute' },
};

/** The name of the list of what a key names. */
function pluralOf(key: string): string {
  const name = (ALIASES[key] ?? key).toLowerCase();
  if (name.endsWith('s')) return name;
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}

const collectionOf = (path: string): string => /^\/(?:settings\/)?(\w+)/.exec(path)?.[1] ?? '';

const templateOf = (path: string): string => path.replace(/\{\w+\}/g, '*');

/** Where a value is drawn for: the key of a body, and the collection of its path. */
interface Spot {
  readonly key: string;
  readonly collection: string;
  /** The percentage of keys given of those that a body may leave out. */
  readonly share: number;
}

/** A value that fits a schema, with what earlier answers showed under the same key. */
function draw(schema: Schema, spot: Spot, seen: Seen): Json {
  const { anyOf, properties, items, type } = schema;
  const forms = anyOf?.filter((form) => form.type !== 'null');
  if (forms !== undefined) return draw(seen.pick(forms) ?? {}, spot, seen);
  if (properties !== undefined) return drawObject(schema, spot, seen);
  if (type === 'array') return [draw(items ?? {}, spot, seen)].filter((one) => one !== undefined);
  if (type === 'boolean') return seen.chance(50);
  if (type === 'number' || type === 'integer') return seen.chance(50) ? 1 : 4;
  return drawText(schema, spot, seen);
}

function drawObject({ properties = {}, required = [] }: Schema, of: Spot, seen: Seen): Json {
  const { key, share } = of;
  const names = Object.keys(properties).filter(
    (name) => required.includes(name) || name === 'guid' || seen.chance(share),
  );
  const drawn = names.map((name): [string, Json] => {
    const spot = { ...of, key: name === 'guid' ? `${key}.guid` : name };
    return [name, draw(properties[name] ?? {}, spot, seen)];
  });
  const found = Object.fromEntries(drawn.filter(([, value]) => value !== undefined));
  return 'guid' in properties && !('guid' in found) ? undefined : found;
}

/** Values that no answer of a fresh workspace shows. */
const VALUES: Readonly<Record<string, readonly Json[]>> = {
  ...{ 'imports resource': ['ITEM_SPECS'], 'imports mode': ['EDIT', 'CREATE'], 'imports apiName': ['number', 'name'] },
  ...{
    'integrations resource': ['ITEM'],
    'integrations action': ['CREATE'],
    'items quantity': [1],
    'items refDes': ['R1'],
  },
};

function drawText({ enum: choices, examples, type }: Schema, { key, collection }: Spot, seen: Seen): Json {
  if (/Date(Time)?$/.test(key)) return '2030-01-31T08:00:00Z';
  const known = choices ?? examples ?? VALUES[`${collection} ${key}`];
  if (known !== undefined) return seen.pick(known);
  const value = seen.valueFor(collection, key);
  if (value !== undefined && (type === undefined || typeof value === type)) return value;
  return key.endsWith('.guid') ? undefined : `Text ${seen.chance(50)}`;
}

/** New objects need names and numbers of their own. */
function withOwnNames(body: Json, nth: number): Json {
  if (!isObject(body)) return body;
  const own = ['name', 'title', 'number', 'sku'].filter((name) => typeof body[name] === 'string');
  return { ...body, ...Object.fromEntries(own.map((name) => [name, `F-${nth}`])) };
}

/** Sends operations with what was seen, and keeps what came of each. */
class Fuzz {
  readonly failures = new Set<string>();
  readonly statuses = new Map<string, Set<number>>();
  readonly #session: Session;
  readonly #seen = new Seen(randomFrom(SEED));
  #sent = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  async play(operation: Operation): Promise<void> {
    const { method, path } = operation;
    const line = `${method} ${path}`;
    const statuses = this.statuses.get(line) ?? new Set();
    this.statuses.set(line, statuses);
    const guids = this.#seen.guidsFor(path);
    if (guids === undefined) return;
    const body = this.#bodyOf(operation);
    const { status, body: answer } = await this.#session
      .send(method, fillPath(path, guids), body)
      .catch(({ message }: Error) => ({ status: 599, body: message }));
    if (status >= 500) this.failures.add(`${line} was answered with ${status}: ${JSON.stringify(answer)}`);
    statuses.add(status);
    if (status < 300 && method === 'DELETE') this.#seen.leave(guids);
    if (status < 300 && showsEntries(operation)) this.#seen.enter(templateOf(path), guids, answer);
  }

  #bodyOf({ path, body, isForm }: Operation): Json {
    this.#sent += 1;
    const share = this.#seen.pick([0, 40, 90]) ?? 0;
    // A body that is a GUID alone names what it adds to the list.
    const spot = { key: path.split('/').at(-1) ?? '', collection: collectionOf(path), share };
    const drawn = body?.properties && withOwnNames(draw(body, spot, this.#seen), this.#sent);
    if (isForm && (drawn === undefined || this.#seen.chance(70)))
      return formWith(drawn, path.startsWith('/imports') ? 'submitContent' : 'content');
    return body && (drawn ?? {});
  }
}

describe.each(['reference', 'arena'])('every operation of the document of dialect %s', (dialect) => {
  test('answers within the document, fails never by itself, and most succeed with GUIDs of earlier answers', async () => {
    const workspace = await openHosted('--dialect', dialect);
    onTestFinished(() => workspace.stop());
    const { body: document } = await send(workspace.url, 'GET', '/openapi.json');
    const fuzz = new Fuzz(await Session.open(workspace));
    const operations = operationsOf(document);
    const play = async (...methods: readonly Method[]): Promise<void> => {
      for (const method of methods) {
        for (const operation of operations) if (operation.method === method) await fuzz.play(operation);
      }
    };
    for (let round = 1; round <= ROUNDS; round += 1) {
      await play('GET', 'POST', 'POST', 'GET', 'PUT');
    }
    // What belongs to an object is deleted before the object.
    operations.sort((one, other) => other.path.length - one.path.length);
    await play('DELETE', 'DELETE', 'DELETE');
    expect([...fuzz.failures], workspace.stderr()).toEqual([]);
    const all = [...fuzz.statuses];
    const never = all.filter(([, statuses]) => ![...statuses].some((status) => status < 300)).map(([line]) => line);
    expect(never.length / all.length, never.join('\n')).toBeLessThan(0.1);
  });
});

test('a query with wrong, empty, repeated or unknown parameters is answered within the document', async () => {
  const workspace = await openHosted();
  onTestFinished(() => workspace.stop());
  const { body: document } = await send(workspace.url, 'GET', '/openapi.json');
  const session = await Session.open(workspace);
  for (const [path, { get }] of Object.entries(document.paths as Record<string, { get?: Described }>)) {
    if (get === undefined || path.includes('{')) continue;
    for (const { name } of [...(get.parameters ?? []), { name: 'unknown' }]) {
      for (const value of ['wrong', '', '-1', '%00', `a&${name}=b`]) {
        const { status, text } = await session.send('GET', `${path}?${name}=${value}`);
        expect(status, `${path}?${name}=${value}: ${text}`).toBeLessThan(500);
      }
    }
  }
});

/** An answer that shows entries of the path itself. */
const showsEntries = ({ method, path }: Operation): boolean =>
  method === 'POST' ? !path.endsWith('}') : method === 'GET' && !path.endsWith('}');

function fillPath(path: string, guids: readonly string[]): string {
  const left = [...guids];
  return path.replace(/\{\w+\}/g, () => left.shift() ?? '');
}

/** A form of dotted keys with a file, as the description has them. */
function formWith(body: Json, contentKey: string): FormData {
  const form = new FormData();
  const enter = (path: string, value: Json): void => {
    if (isObject(value))
      for (const [key, inner] of Object.entries(value)) enter(path === '' ? key : `${path}.${key}`, inner);
    else if (!Array.isArray(value)) form.set(path, String(value));
  };
  enter('', body ?? {});
  const holder = isObject(body) ? ['file', 'markup'].find((key) => isObject(body[key])) : undefined;
  form.set(holder === undefined ? contentKey : `${holder}.content`, new Blob(['number,name\r\n']), 'a.csv');
  return form;
}

function operationsOf(document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> }) {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, tags }]): Operation[] => {
      // A second session would end this one.
      if (tags.includes('embedded only') || /^\/log(in|out)$/.test(path)) return [];
      const content = requestBody?.content ?? {};
      return [
        {
          method: method.toUpperCase() as Method,
          path,
          body: content['application/json']?.schema,
          isForm: Object.hasOwn(content, 'multipart/form-data'),
        },
      ];
    }),
  );
}

interface Described {
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
}
