import { atEnd } from './at-end.js';
import { type FaultFile, type OnStrike, openHosted, type RuleReport } from './hosted-workspace.js';

/** An embedded workspace as a server, and a second pair of eyes on it: plain fetch, not our client. */
export interface TestWorkspace {
  readonly url: string;
  /** Variables that point the environment `remote` of a test project at it. */
  readonly variables: Record<string, string>;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>;
  /** The same as the administrator, whose other session ends by it. */
  administer(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>;
  /** All entries of a list that is paged, with as few requests as it takes. */
  pages(path: string): Promise<Json[]>;
  /** Requests in the usage log, without those of `call`. */
  usage(): Promise<{ method: string; path: string; status: number }[]>;
  /** From now on these faults happen and no others. `onStrike` is awaited before one acts. */
  arm(faults: FaultFile['faults'], onStrike?: OnStrike): Promise<void>;
  /** What each fault did since then. */
  faults(): Promise<readonly RuleReport[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the service as they come; each test says what it expects.
type Json = any;

/** How each dialect carries a session (wire-facts, section 0). */
const WIRE: Readonly<Record<string, { token: string; session: string; usage: string }>> = {
  reference: { token: 'sessionId', session: 'Service-Session-Id', usage: 'Service-Usage-Reason' },
  arena: { token: 'arena_session_id', session: 'arena_session_id', usage: 'Arena-Usage-Reason' },
};

export async function testWorkspace(
  args: readonly string[] = [],
  dialect: string = 'reference',
): Promise<TestWorkspace> {
  const wire = WIRE[dialect] as (typeof WIRE)[string];
  const { url, email, password, workspaceId, stop, stderr, arm, report } = await openHosted(
    '--dialect',
    dialect,
    ...args,
  );
  atEnd(async (context) => {
    if (context?.task.result?.state === 'fail') console.error(`Requests to ${url}:\n${await log()}\n${stderr()}`);
    await stop();
  });
  const reason = 'eyes/1';
  const login = async (user: string): Promise<string> => {
    const answer = await fetch(`${url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [wire.usage]: reason },
      body: JSON.stringify({ email: user, password }),
    });
    return ((await answer.json()) as Record<string, string>)[wire.token] ?? '';
  };
  const send = async (session: string, method: string, path: string, body?: unknown) => {
    const headers = { [wire.session]: session, [wire.usage]: reason, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : parsed(text) };
  };
  // Not the user that dexsync is, so that neither ends the session of the other.
  let session: Promise<string> | undefined;
  const call: TestWorkspace['call'] = async (method, path, body) => {
    session ??= login('cleo@example.com');
    return send(await session, method, path, body);
  };
  const pages: TestWorkspace['pages'] = async (path) => {
    const entries: Json[] = [];
    for (;;) {
      const page = `${path.includes('?') ? '&' : '?'}offset=${entries.length}&limit=400`;
      const { body } = await call('GET', `${path}${page}`);
      entries.push(...body.results);
      if (body.results.length < 400) return entries;
    }
  };
  const usage: TestWorkspace['usage'] = async () => {
    const entries = await pages('/settings/recentactivities/apiusages');
    return entries.filter((entry) => entry.usageReason !== reason);
  };
  const log = async (): Promise<string> =>
    (await usage().catch(() => [])).map(({ method, path, status }) => `  ${method} ${path} ${status}`).join('\n');
  return {
    url,
    variables: {
      DEXSYNC_ENV: 'remote',
      TEST_URL: url,
      DEXSYNC_REMOTE_PROFILE: dialect,
      DEXSYNC_REMOTE_EMAIL: email,
      DEXSYNC_REMOTE_PASSWORD: password,
      DEXSYNC_REMOTE_WORKSPACE_ID: String(workspaceId),
    },
    call,
    administer: async (method, path, body) => send(await login(email), method, path, body),
    pages,
    usage,
    arm: (faults, onStrike) => arm({ faults }, onStrike),
    faults: report,
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
