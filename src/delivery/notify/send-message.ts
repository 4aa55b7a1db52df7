import pRetry, { AbortError } from 'p-retry';
import { DexsyncError } from '#base/errors.js';
import { excerpt } from '#base/printable.js';
import type { NotifyAddress } from '#project/config/notify-targets.js';
import { requestJson } from '#service/json-request.js';
import { isThisMachine } from '#service/this-machine.js';
import { bodyOf, headline, lineOf, type Message } from './message.js';

/** The most milliseconds for one try. */
const MOST = 4000;
const PAUSE = 500;

/** Sends a message, and once more after a fault that may pass. Throws the reason why it did not arrive. */
export function sendMessage(message: Message, address: NotifyAddress, longest = MOST): Promise<void> {
  const timeout = Math.min(longest, MOST);
  const send = (): Promise<void> =>
    address.is === 'mail' ? sendMail(message, address, timeout) : post(message, address, timeout);
  return pRetry(send, { retries: 1, minTimeout: PAUSE });
}

async function post(
  message: Message,
  { url, as }: Extract<NotifyAddress, { is: 'webhook' }>,
  timeout: number,
): Promise<void> {
  const { status } = await requestJson({ url, body: bodyOf(message, as) }, timeout).catch((error: unknown) => {
    throw error instanceof DexsyncError && error.code !== 'NETWORK' ? new AbortError(error) : error;
  });
  if (status >= 200 && status < 300) return;
  const error = new DexsyncError('SERVICE_ERROR', `it answered with status ${status}`);
  throw status === 429 || status >= 500 ? error : new AbortError(error);
}

/** Sends an e-mail. The library for it is loaded only here. */
async function sendMail(
  message: Message,
  { server, from, to }: Extract<NotifyAddress, { is: 'mail' }>,
  timeout: number,
): Promise<void> {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || !/^smtps?:$/.test(url.protocol))
    throw new AbortError(
      new DexsyncError('CONFIG_INVALID', 'its server is no URL that begins with smtp:// or smtps://'),
    );
  const { createTransport } = await import('nodemailer');
  // A password is never sent unencrypted to another machine.
  const requireTLS = url.password !== '' && !isThisMachine(url.hostname);
  const transport = createTransport({ url: server, requireTLS });
  const mail = {
    ...{ from, to: [...to], subject: headline(message), text: `${lineOf(message)}\n` },
    ...{ disableFileAccess: true, disableUrlAccess: true, signal: AbortSignal.timeout(timeout) },
  };
  await transport.sendMail(mail).catch((cause: { readonly responseCode?: number; readonly message: string }) => {
    const { responseCode } = cause;
    const error = new DexsyncError('NETWORK', `the mail server failed: ${excerpt(cause.message, 200)}`);
    throw responseCode !== undefined && responseCode >= 500 ? new AbortError(error) : error;
  });
}
