import type { Answer } from './altering-proxy.js';

/** How a service answers falsely; plain data, so that a matrix of lies can be drawn. */
export interface Lie {
  readonly on: 'list' | 'read' | 'write';
  readonly does: keyof typeof LIST_LIES | keyof typeof OBJECT_LIES | 'lag' | 'acknowledge without doing';
  /** The collection that it is about. */
  readonly path: string;
}

type Entry = Record<string, unknown>;
type Said = Partial<Pick<Answer, 'status' | 'body'>>;

const ofJson = (body: unknown, status = 200): Said => ({ status, body: Buffer.from(JSON.stringify(body)) });

const listOf = (results: readonly Entry[], count = results.length): Said => ofJson({ count, results });

export const LIST_LIES = {
  'drop the first entry': ([, ...results]: readonly Entry[]) => listOf(results),
  'drop the last entry': (all: readonly Entry[]) => listOf(all.slice(0, -1)),
  'show nothing': () => listOf([]),
  'show nothing, and count all': (all: readonly Entry[]) => listOf([], all.length),
  'repeat an entry': (all: readonly Entry[]) => listOf([...all, ...all.slice(0, 1)]),
  'swap GUIDs': (all: readonly Entry[]) => {
    const [a = {}, b = {}] = all.slice(-2);
    return listOf([...all.slice(0, -2), { ...a, guid: b.guid }, { ...b, guid: a.guid }]);
  },
  'contradict itself': (all: readonly Entry[]) => listOf([...all, { ...all[0], name: 'Another' }]),
} as const;

const FORBIDDEN = { code: 3024, message: 'Either you do not have privileges to access the data or it does not exist.' };

/** Of a single object, or of what a write made of it; `other` is another object of the collection. */
export const OBJECT_LIES = {
  'say nothing': () => ofJson({}),
  'tell the GUID alone': ({ guid }: Entry) => ofJson({ guid }),
  'echo another object': (body: Entry, other: Entry) => ofJson({ ...body, ...other }),
  forbid: () => ofJson({ errors: [FORBIDDEN] }, 403),
} as const;

/** A service that tells the truth until it is told a lie. It remembers what it said, to lag behind. */
export function liar() {
  let lie: Lie | undefined;
  const said = new Map<string, Buffer>();
  const others = new Map<string, Entry>();
  const isAbout = (on: Lie['on'], place: string): boolean => lie?.on === on && place.startsWith(lie.path);
  const lieOfList = (path: string, { body }: Answer, results: readonly Entry[]): Said => {
    if (lie?.does === 'lag') return { body: said.get(path) ?? body };
    return LIST_LIES[lie?.does as keyof typeof LIST_LIES](results);
  };
  const lieOfObject = (body: Entry): Said =>
    OBJECT_LIES[lie?.does as keyof typeof OBJECT_LIES](body, others.get(lie?.path ?? '') ?? {});
  return {
    tell: (given: Lie | undefined): void => {
      lie = given;
    },
    answer: (method: string, path: string, answer: Answer): Said | undefined => {
      const [place = ''] = path.split('?');
      const body = parsed(answer.body);
      const { results } = body;
      if (Array.isArray(results)) {
        if (isAbout('list', place)) return lieOfList(path, answer, results);
        said.set(path, answer.body);
        if (results.length > 0) others.set(place, results.at(-1));
        return undefined;
      }
      const isRight = answer.status < 300 && isAbout(method === 'GET' ? 'read' : 'write', place);
      return isRight && lie?.does !== 'acknowledge without doing' ? lieOfObject(body) : undefined;
    },
    /** Writes that do not reach the service. */
    instead: (method: string, path: string): Answer | undefined => {
      if (lie?.does !== 'acknowledge without doing' || !isAbout('write', path)) return undefined;
      const headers = { 'content-type': 'application/json' };
      if (method === 'DELETE') return { status: 204, headers, body: Buffer.from('') };
      const known = method === 'PUT' ? { ...others.get(lie.path), guid: path.split('/').at(-1) } : undefined;
      return known && { status: 200, headers, body: Buffer.from(JSON.stringify(known)) };
    },
  };
}

function parsed(body: Buffer): Entry {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : {};
  } catch {
    return {};
  }
}
