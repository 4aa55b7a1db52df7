import { Agent } from 'undici';

/**
 * A session with nothing between the caller and undici.
 *
 * @param {{ url: string, email: string, password: string }} login
 */
export async function openSession({ url, email, password }) {
  const agent = new Agent();
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, '');
  const headers = { 'content-type': 'application/json', 'Service-Usage-Reason': 'floor/1' };
  const send = async (method, path, json) => {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const answer = await agent.request({ origin, path: `${base}${path}`, method, headers, body });
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${await answer.body.text()}`);
    return answer.body.json();
  };
  const { sessionId } = await send('POST', '/login', { email, password });
  headers['Service-Session-Id'] = sessionId;
  return { send, close: () => agent.close() };
}

const LIMIT = 400;

/**
 * All objects of a list, in pages that overlap by one.
 *
 * @param {Awaited<ReturnType<typeof openSession>>['send']} send
 * @param {string} path
 */
export async function readPages(send, path) {
  const all = [];
  for (;;) {
    const offset = Math.max(0, all.length - 1);
    const { results } = await send('GET', `${path}?offset=${offset}&limit=${LIMIT}`);
    all.push(...(offset === 0 ? results : results.slice(1)));
    if (results.length < LIMIT) return all;
  }
}
