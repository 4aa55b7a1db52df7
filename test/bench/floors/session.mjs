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

/**
 * All objects of a list that the service does not page.
 *
 * @param {Awaited<ReturnType<typeof openSession>>['send']} send
 * @param {string} path
 */
export async function readList(send, path) {
  const { results } = await send('GET', path);
  return results;
}
