import { readFileSync } from 'node:fs';
import type { Method } from '../harness/session.js';

/** The form of a value in `schema/service/shapes.json`, read here without the code of the embedded workspace. */
export type Written = string | readonly Written[] | { readonly [key: string]: Written };

/** One line of `schema/service/endpoints.tsv`. */
export interface Line {
  readonly method: Method;
  readonly path: string;
  /** The keys of a JSON body. */
  readonly body: readonly string[];
  readonly status: number;
  readonly answer: Written | undefined;
  readonly request: Written | undefined;
}

const read = (file: string): string => readFileSync(new URL(`../../schema/service/${file}`, import.meta.url), 'utf8');

const shapes = JSON.parse(read('shapes.json')) as Readonly<Record<string, { answer?: Written; request?: Written }>>;

/** All documented endpoints. */
export const lines: readonly Line[] = read('endpoints.tsv').trimEnd().split('\n').slice(1).map(readLine);

function readLine(text: string): Line {
  const [method, path = '', , , , body = '', status] = text.split('\t');
  const { answer, request } = shapes[`${method} ${path}`] ?? {};
  const [json = ''] = body.split(/(?:; )?multipart: /);
  const keys = json === '' ? [] : json.split(',').map((key) => key.replace('*', ''));
  // Where pages name two statuses, the first is that of a JSON body.
  return { method: method as Method, path, body: keys, status: Number.parseInt(status ?? '', 10), answer, request };
}

/** Names the keys and types of a value that its documented form does not have. Only GUIDs with a value must have one. */
export function differences(shape: Written, value: unknown, at: string): string[] {
  if (value === null) return at.endsWith('.guid') && shape !== 'null' ? [`${at} is null`] : [];
  if (typeof shape === 'string') return scalarDifferences(shape, value, at);
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((entry, index) => differences(shape[0] ?? 'null', entry, `${at}[${index}]`));
  }
  if (typeof value !== 'object') return [`${at} is no object`];
  const { '|': _, ...keys } = shape;
  const own = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(keys).map(withoutMark);
  const unknown = Object.keys(own).filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => `${at}.${name} is not documented`),
    ...Object.entries(keys).flatMap(([key, inner]) => keyDifferences(key, inner, own, at)),
  ];
}

function keyDifferences(key: string, shape: Written, own: Readonly<Record<string, unknown>>, at: string): string[] {
  const name = withoutMark(key);
  if (name in own) return differences(shape, own[name], `${at}.${name}`);
  return key.endsWith('?') ? [] : [`${at}.${name} is missing`];
}

/** Samples that show only null say nothing about the type. */
function scalarDifferences(shape: string, value: unknown, at: string): string[] {
  const types = shape.split(':')[0]?.split('|') ?? [];
  const isUnknown = types.every((type) => type === 'null');
  return isUnknown || types.includes(typeof value) ? [] : [`${at} is ${typeof value}, not ${types}`];
}

const isList = (shape: Written): shape is readonly Written[] => Array.isArray(shape);

const withoutMark = (key: string): string => key.replace('?', '');

/** The documented form at a path of keys, such as `routings[].guid`. */
export function shapeAt(shape: Written | undefined, key: string): Written | undefined {
  return key.split('.').reduce<Written | undefined>((outer, name) => {
    const own = outer as Readonly<Record<string, Written>> | undefined;
    const plain = name.replace('[]', '');
    const inner = own?.[plain] ?? own?.[`${plain}?`];
    return name.endsWith('[]') && inner !== undefined && isList(inner) ? inner[0] : inner;
  }, shape);
}

/** Sets a value at a path of keys; a list gets one entry. */
export function setAt(body: Record<string, unknown>, [key = '', ...further]: readonly string[], value: unknown): void {
  const name = key.replace('[]', '');
  if (further.length === 0) {
    body[name] = value;
    return;
  }
  body[name] ??= key.endsWith('[]') ? [{}] : {};
  const inner = body[name] as Record<string, unknown> | Record<string, unknown>[];
  setAt(Array.isArray(inner) ? (inner[0] as Record<string, unknown>) : inner, further, value);
}
