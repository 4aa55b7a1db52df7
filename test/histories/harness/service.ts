import {
  type Dialect,
  type Fields,
  isListed,
  type Json,
  KIND_NAMES,
  type KindName,
  kindModel,
} from '../model/kinds.js';

/** An object as the service shows it. */
export interface SeenObject {
  readonly guid: string;
  readonly kind: KindName;
  readonly name: string;
  readonly fields: Fields;
}

export type Entry = Record<string, Json>;

/** What the names of import definitions begin with that are there for rows alone. */
export const ROWS = 'Rows';

/** A second pair of eyes and hands at a service: plain requests, none of the client's code. */
export interface Service {
  readonly url: string;
  /** The body is JSON, or a form as it is. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Entry }>;
  /** The same as an administrator, with a session for this request alone. */
  administrate: Service['call'];
  list(path: string): Promise<Entry[]>;
  objects(): Promise<SeenObject[]>;
  create(kind: KindName, name: string, fields: Fields): Promise<number>;
  edit(object: SeenObject, change: Fields & { readonly name?: string }): Promise<number>;
  remove(object: SeenObject): Promise<number>;
  /** Requests of others than these hands, since the last time that somebody asked. */
  newRequests(): Promise<{ readonly method: string; readonly path: string; readonly status: number }[]>;
}

/** Where a kind is (wire-facts, section 0; endpoints.tsv). */
export const PATHS: Readonly<Record<KindName, string>> = {
  UserGroup: '/settings/usergroups',
  Policy: '/settings/policies',
  Trigger: '/settings/integrations/triggers',
  OutboundIntegration: '/outboundevents',
  ExtractDefinition: '/extracts',
  ImportDefinition: '/imports',
  ExportDefinition: '/exports',
};

/** Where reservations of item numbers are; no two have one name. */
export const RESERVATIONS = '/settings/items/numberreservations';

const CHILD_PATHS: Readonly<Record<string, string>> = {
  members: 'users',
  triggers: 'triggers',
  administrators: 'administrators',
};

const USER = 'cleo@example.com';
const ADMINISTRATOR = 'admin@example.com';

const JSON_BODY = { 'content-type': 'application/json' };

const WIRE = {
  reference: { token: 'sessionId', session: 'Service-Session-Id', usage: 'Service-Usage-Reason' },
  arena: { token: 'arena_session_id', session: 'arena_session_id', usage: 'Arena-Usage-Reason' },
} as const;

/** What the names of objects begin with that make lists long. */
export const CROWD = 'Crowd';

/** Built in, or there for rows or for long lists alone: no model has them among the objects. */
const isApart = (name: Json | undefined): boolean =>
  name === 'Everyone' || [ROWS, CROWD].some((prefix) => String(name).startsWith(prefix));

export async function openService(
  { url, password }: { url: string; password: string },
  dialect: Dialect,
): Promise<Service> {
  const wire = WIRE[dialect];
  const headers = { [wire.usage]: 'eyes/1' };
  const request = async (method: string, path: string, body: unknown, session: string) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(isForm ? {} : JSON_BODY), [wire.session]: session },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Entry };
  };
  const open = async (email: string): Promise<string> =>
    String((await request('POST', '/login', { email, password }, '')).body[wire.token]);
  let session = open(USER);
  // A session ends after a while, and histories last for days.
  const call: Service['call'] = async (method, path, body) => {
    const used = session;
    const answer = await request(method, path, body, await used);
    if (answer.status !== 401) return answer;
    if (session === used) session = open(USER);
    return request(method, path, body, await session);
  };
  const list = async (path: string): Promise<Entry[]> => {
    const entries: Entry[] = [];
    for (;;) {
      const { status, body } = await call(
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}limit=400&offset=${entries.length}`,
      );
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
      const page = body.results as unknown as Entry[];
      entries.push(...page);
      if (page.length < 400) return entries;
    }
  };
  const users = new Map((await list('/settings/users')).map(({ guid, email }) => [String(email), String(guid)]));
  const guids = async (kind: KindName): Promise<Map<string, string>> =>
    new Map((await list(PATHS[kind])).map(({ guid, name }) => [String(name), String(guid)]));
  const guidOf = async (refersTo: KindName | 'User', name: string): Promise<string> => {
    const found = (refersTo === 'User' ? users : await guids(refersTo)).get(name);
    if (found === undefined) throw new Error(`No ${refersTo} is called ${name}.`);
    return found;
  };
  const seen = async (kind: KindName, entry: Entry): Promise<SeenObject> => {
    const { guid, name } = entry;
    const fields = Object.fromEntries(
      await Promise.all(
        Object.entries(kindModel(kind).fields).map(async ([field, { refersTo, wire }]): Promise<[string, Json]> => {
          if (kindModel(kind).children.includes(field)) {
            const children = await list(`${PATHS[kind]}/${guid}/${CHILD_PATHS[field]}`);
            return [field, children.map((one) => (refersTo === 'User' ? one.email : one.name) as Json)];
          }
          const value = entry[field] ?? null;
          if (refersTo !== undefined) return [field, (value as unknown as Entry[]).map((one) => one.name as Json)];
          return [field, wire?.read(value) ?? value];
        }),
      ),
    );
    return { guid: String(guid), kind, name: String(name), fields };
  };
  const toWire = async (kind: KindName, fields: Fields): Promise<Entry> => {
    const own = Object.entries(fields).filter(([field]) => !kindModel(kind).children.includes(field));
    return Object.fromEntries(
      await Promise.all(
        own.map(async ([field, value]): Promise<[string, Json]> => {
          const { refersTo, wire } = kindModel(kind).fields[field] ?? {};
          if (refersTo === undefined) return [field, wire?.send(value) ?? value];
          const entries = (value as readonly string[]).map(async (name) => ({ guid: await guidOf(refersTo, name) }));
          return [field, await Promise.all(entries)];
        }),
      ),
    );
  };
  const setChildren = async (kind: KindName, guid: string, field: string, asked: readonly string[]): Promise<void> => {
    const path = `${PATHS[kind]}/${guid}/${CHILD_PATHS[field]}`;
    const { refersTo } = kindModel(kind).fields[field] ?? {};
    const wanted = await Promise.all(asked.map((name) => guidOf(refersTo ?? 'User', name)));
    const has = (await list(path)).map((one) => String(one.guid));
    for (const one of wanted) if (!has.includes(one)) await call('POST', path, { guid: one });
    for (const one of has) if (!wanted.includes(one)) await call('DELETE', `${path}/${one}`);
  };
  const setAllChildren = async (kind: KindName, guid: string, fields: Fields): Promise<void> => {
    for (const field of kindModel(kind).children)
      if (field in fields) await setChildren(kind, guid, field, fields[field] as readonly string[]);
  };
  let seenRequests = 0;
  return {
    url,
    call,
    administrate: async (method, path, body) => request(method, path, body, await open(ADMINISTRATOR)),
    list,
    async objects() {
      const all = await Promise.all(
        KIND_NAMES.filter((kind) => isListed(kind, dialect)).map(async (kind) => {
          const entries = (await list(PATHS[kind])).filter(({ name }) => !isApart(name));
          return Promise.all(entries.map((entry) => seen(kind, entry)));
        }),
      );
      return all.flat();
    },
    async create(kind, name, fields) {
      const { status, body } = await call('POST', PATHS[kind], { name, ...(await toWire(kind, fields)) });
      if (status < 300) await setAllChildren(kind, String(body.guid), fields);
      return status;
    },
    async edit({ kind, guid }, change) {
      const { name, ...fields } = change;
      const path = `${PATHS[kind]}/${guid}`;
      const own = { ...(name === undefined ? {} : { name }), ...(await toWire(kind, fields)) };
      const { update } = kindModel(kind);
      let status = 200;
      if (Object.keys(own).length > 0) {
        const { body } = await call('GET', path);
        const writable = Object.fromEntries(update.flatMap((field) => (field in body ? [[field, body[field]]] : [])));
        status = (await call('PUT', path, { ...writable, ...own })).status;
      }
      if (status < 300) await setAllChildren(kind, guid, fields);
      return status;
    },
    remove: async ({ kind, guid }) => (await call('DELETE', `${PATHS[kind]}/${guid}`)).status,
    async newRequests() {
      const entries: Entry[] = [];
      for (;;) {
        const path = `/settings/recentactivities/apiusages?limit=400&offset=${seenRequests + entries.length}`;
        const page = (await call('GET', path)).body.results as unknown as Entry[];
        entries.push(...page);
        if (page.length < 400) break;
      }
      seenRequests += entries.length;
      return entries
        .filter(({ usageReason }) => usageReason !== 'eyes/1')
        .map(({ method, path, status }) => ({ method: String(method), path: String(path), status: Number(status) }));
    },
  };
}
