import { Agent } from 'undici';
import { DexsyncError } from '#base/errors.js';
import { isThisMachine } from './this-machine.js';

/**
 * Sends JSON to a URL that is a secret itself, and returns the status of the answer; redirects are not followed. The whole
 * takes at most `timeout` milliseconds. Throws CONFIG_INVALID, URL_NOT_SECURE for plain http to another machine, and
 * NETWORK. Messages do not name the URL.
 */
export async function postJson(url: string, body: object, timeout: number): Promise<number> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new DexsyncError('CONFIG_INVALID', 'its URL is none: write it in full, with https://');
  if (parsed.protocol === 'http:' && !isThisMachine(parsed.hostname))
    throw new DexsyncError('URL_NOT_SECURE', 'its URL would be sent unencrypted to another machine: use https');
  const dispatcher = new Agent({ connect: { timeout }, connections: 1 });
  try {
    const { statusCode, body: answer } = await dispatcher.request({
      ...{ origin: parsed.origin, path: `${parsed.pathname}${parsed.search}` },
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeout),
    });
    await answer.dump({ limit: 65_536 }).catch(() => undefined);
    return statusCode;
  } catch (cause) {
    const { code, name } = cause as { code?: string; name?: string };
    const why = name === 'TimeoutError' ? `no answer within ${timeout / 1000} s` : `no connection (${code ?? name})`;
    throw new DexsyncError('NETWORK', why);
  } finally {
    await dispatcher.destroy();
  }
}
