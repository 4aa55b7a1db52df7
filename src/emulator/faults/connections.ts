import type { Action, ActionContext, Outcome } from './action.js';
import {
  htmlPage,
  isReadAnswer,
  jsonAnswer,
  listEntries,
  parseObject,
  parseSingle,
  randomGuid,
  refusal,
} from './answers.js';
import type { Keys, Parameter } from './keys.js';

/** Builds an action that replaces the answer, before or after the service processes the request. */
const replaceAnswer = (make: (keys: Keys) => Outcome, ...takes: readonly Parameter[]): Action => ({
  takes: ['when', ...takes],
  carryOut: async (keys, { deliver, tell }) => {
    if (keys.when === 'after') await deliver();
    await tell();
    return make(keys);
  },
});

/** The code and message that the service gives with a status (wire-facts 2.1). */
const ERRORS: Readonly<Record<number, readonly [code: number, message: string]>> = {
  401: [401, 'The request carries no session, or one that has ended.'],
  403: [3024, 'Either you do not have privileges to access the data or it does not exist.'],
  404: [404, 'There is no such endpoint.'],
  429: [4084, 'Too many requests.'],
  503: [503, 'The service is not available.'],
};

function status({ status: given = 500, code, message, retryAfter }: Keys): Outcome {
  const [known, text] = ERRORS[given] ?? [given < 500 ? 400 : 9999, 'An unexpected error occurred.'];
  return refusal(
    given,
    code ?? known,
    message ?? text,
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  );
}

function customAnswer({ status: code = 200, headers, content = '' }: Keys): Outcome {
  if (typeof content !== 'string') return jsonAnswer(code, content, headers);
  return {
    status: code,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body: Buffer.from(content),
  };
}

const hasBody: Extract<Action, { alter: unknown }>['appliesTo'] = ({ body }) => body.length > 1;

/** Actions on the connection: faults between client and service, or faults that keep the service from answering. */
export const connections = {
  pass: {
    takes: [],
    carryOut: async (_, { deliver, tell }) => {
      await tell();
      return deliver();
    },
  },
  status: replaceAnswer(status, 'status', 'code', 'message', 'retryAfter'),
  forbid: replaceAnswer(() => status({ status: 403 })),
  page: replaceAnswer(({ status: code = 502 }) => htmlPage(code, 'The service is being maintained.'), 'status'),
  answer: replaceAnswer(customAnswer, 'status', 'headers', 'content'),
  reset: replaceAnswer(() => 'reset'),
  hang: replaceAnswer(() => 'hang'),
  latency: {
    takes: ['when', 'milliseconds', 'spread'],
    carryOut: async ({ when, milliseconds = 1000, spread = 0 }, { deliver, tell, draw, wait }) => {
      const pause = milliseconds + draw() * spread;
      const early = when === 'after' ? await deliver() : undefined;
      await tell();
      await wait(pause);
      return early ?? deliver();
    },
  },
  twice: {
    takes: ['answer'],
    carryOut: async ({ answer }, { deliver, tell }) => {
      const first = await deliver();
      const last = await deliver();
      await tell();
      return answer === 'last' ? last : first;
    },
  },
  slow: {
    takes: ['bytesPerSecond'],
    appliesTo: hasBody,
    alter: (answer, _, { bytesPerSecond = 1024 }) => ({ ...answer, sent: { bytesPerSecond } }),
  },
  cut: { takes: [], appliesTo: hasBody, alter: (answer) => ({ ...answer, sent: 'half' }) },
  malformed: {
    takes: [],
    appliesTo: hasBody,
    alter: ({ body, ...answer }) => ({ ...answer, body: body.subarray(0, Math.ceil(body.length / 2)) }),
  },
  'bad-encoding': {
    takes: [],
    appliesTo: hasBody,
    alter: ({ body, ...answer }) => {
      const at = body.lastIndexOf('"');
      return { ...answer, body: Buffer.concat([body.subarray(0, at), Buffer.from([0xe9]), body.subarray(at)]) };
    },
  },
  'set-head': {
    takes: ['status', 'headers'],
    appliesTo: () => true,
    alter: ({ body, ...answer }, _, { status: code = answer.status, headers }) => ({
      status: code,
      headers: { ...answer.headers, ...headers },
      body,
    }),
  },
  'end-session': sessionAction(({ endSession }) => endSession()),
  'take-over': sessionAction(({ takeOver }) => takeOver()),
  stale: {
    takes: ['lag'],
    appliesTo: (answer, scene, { lag = 1 }) => isReadAnswer(answer, scene) && scene.earlier.length >= lag,
    alter: (answer, { earlier }, { lag = 1 }) => earlier.at(-lag) ?? answer,
  },
  acknowledge: {
    takes: ['shows'],
    carryOut: async (keys, scene) => {
      if (scene.asked.method === 'GET') return scene.deliver();
      const answer = await acknowledgement(keys, scene);
      await scene.tell();
      return answer;
    },
  },
} as const satisfies Readonly<Record<string, Action>>;

function sessionAction(end: (scene: ActionContext) => void): Action {
  return {
    takes: ['when'],
    carryOut: async ({ when }, scene) => {
      const early = when === 'after' ? await scene.deliver() : undefined;
      await scene.tell();
      end(scene);
      return early ?? scene.deliver();
    },
  };
}

/** Predicts the service's answer to a write, as far as possible without performing it. */
async function acknowledgement({ shows }: Keys, { asked, read, draw }: ActionContext): Promise<Outcome> {
  const { method, path } = asked;
  if (method === 'DELETE') return { status: 204, headers: {}, body: Buffer.alloc(0) };
  const known = await read(path);
  const said = parseObject(asked) ?? {};
  if (method !== 'POST') {
    const guid = path.split('/').at(-1);
    return jsonAnswer(200, { ...parseSingle(known), ...(shows === 'found' ? {} : said), guid });
  }
  const like = listEntries(known)?.at(-1);
  return jsonAnswer(201, { ...like, ...said, guid: randomGuid(draw) });
}
