import { Agent } from 'undici';
import { DexsyncError } from '#base/errors.js';
import { isThisMachine } from './this-machine.js';

/** A request to something other than the service: a webhook, or the page of `dexsync serve`. */
export interface JsonRequest {
  readonly url: string;
  /** A POST if there is one, or else a GET. */
  readonly body?: object;
}

/** Characters of an answer that are read. */
const MOST = 1_048_576;

/**
 * Sends JSON to a URL that is a secret itself, and returns the status and the text of the answer; redirects are not
 * followed. The whole takes at most `timeout` milliseconds. Throws CONFIG_INVALID, URL_NOT_SECURE for plain http to another
 * machine, and NETWORK. Messages do not name the URL.
 */
export async function requestJson(
  { url, body }: JsonRequest,
  timeout: number,
): Promise<{ readonly status: number; readonly text: string }> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new DexsyncError('CONFIG_INVALID', 'its URL is none: write it in full, with https://');
  if (parsed.protocol === 'http:' && !isThisMachine(parsed.hostname))
    throw new DexsyncError('URL_NOT_SECURE', 'its URL would be sent unencrypted to another machine: use https');
  const dispatcher = new Agent({ connect: { timeout }, connections: 1, maxResponseSize: MOST });
  try {
    const answer = await dispatcher.request({
      ...{ origin: parsed.origin, path: `${parsed.pathname}${parsed.search}` },
      ...(body === undefined
        ? { method: 'GET' }
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeout),
    });
    return { status: answer.statusCode, text: await answer.body.text().catch(() => '') };
  } catch (cause) {
    const { code, name } = cause as { code?: string; name?: string };
    const why = name === 'TimeoutError' ? `no answer within ${timeout / 1000} s` : `no connection (${code ?? name})`;
    throw new DexsyncError('NETWORK', why);
  } finally {
    await dispatcher.destroy();
  }
}
