import type { Diagnostic } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { secretsOfUrl } from '#base/secrets.js';
import { isPattern, matchesPattern } from '#core/engine/wildcard.js';
import type { Document } from '#core/model/document.js';
import { withoutNulls } from '#core/model/json.js';
import type { Host } from '../host.js';
import type { ConfigFile } from './config-schema.js';
import type { NoticeKind, NotifyTarget } from './notify-schema.js';

/** Where a notification goes, with secrets filled in. */
export type NotifyAddress =
  | { readonly is: 'webhook'; readonly url: string; readonly as: 'slack' | 'teams' | 'json' }
  | { readonly is: 'mail'; readonly server: string; readonly from: string; readonly to: readonly string[] };

/** Whether a target hears of something in one of some environments. */
export const hears = (
  { on, environments }: NotifyTarget,
  kind: NoticeKind | 'test',
  places: readonly string[],
): boolean =>
  (kind === 'test' || on === undefined || on.includes(kind)) &&
  (environments === undefined ||
    places.some((place) => patternsIn(environments).some((one) => matchesPattern(one, place))));

const patternsIn = (text: string): string[] => text.split(',').map((one) => one.trim());

/** A target as messages name it. */
export const targetName = ({ webhook, as = 'json' }: NotifyTarget, index: number): string =>
  `\`notify[${index}]\` (${webhook === undefined ? 'mail' : `${as} webhook`})`;

/** Fills in the secrets of a target, and makes them known as such. Throws CREDENTIALS_MISSING if a variable is unset. */
export function notifyAddress(
  { webhook, as = 'json', mail }: NotifyTarget,
  { variables, secrets }: Pick<Host, 'variables' | 'secrets'>,
): NotifyAddress {
  const fill = (text: string): string => text.replaceAll(VARIABLE, (_, name: string) => variables[name] || unset(name));
  if (mail !== undefined) {
    const { server, from, to } = mail;
    const filled = fill(server);
    secrets.add(...secretsOfUrl(filled));
    return { is: 'mail', server: filled, from: fill(from), to: to.map(fill) };
  }
  const url = fill(webhook ?? '');
  secrets.add(url, ...secretsOfUrl(url));
  return { is: 'webhook', url, as };
}

const VARIABLE = /\$\{env\.(\w+)\}/g;

function unset(name: string): never {
  throw new DexsyncError('CREDENTIALS_MISSING', `the variable ${name} is not set`);
}

/** Finds targets that are no target, that name no environment, or that have a secret in plain text. */
export function notifyFindings({ value, origins }: Document): Diagnostic[] {
  const { notify = [], environments } = withoutNulls(value) as ConfigFile;
  const names = Object.keys(environments);
  return notify.flatMap((target, index) => {
    const at = (field: string) => origins.value(`/notify/${index}${field}`);
    const error = (field: string, code: string, message: string, hint: string): Diagnostic => ({
      ...{ severity: 'error', code, message, hint, origin: at(field) },
    });
    const { webhook, mail, environments: meant } = target;
    if ((webhook === undefined) === (mail === undefined))
      return [error('', 'notify-target', 'A target of `notify` needs either `webhook` or `mail`.', FORMS)];
    const patterns = meant === undefined ? [] : patternsIn(meant);
    return [
      ...(webhook === undefined || webhook.includes('${env.')
        ? []
        : [error('/webhook', 'notify-secret', 'The URL of a webhook is in the configuration as plain text.', SECRET)]),
      ...(mail === undefined || !PLAIN_PASSWORD.test(mail.server)
        ? []
        : [
            error(
              '/mail/server',
              'notify-secret',
              'The password of a mail server is in the configuration as plain text.',
              PASSWORD,
            ),
          ]),
      ...patterns
        .filter((pattern) => !isPattern(pattern) && !names.includes(pattern))
        .map((pattern) =>
          error(
            '/environments',
            'notify-environment',
            `The configuration has no environment "${pattern}".`,
            nearestHint(pattern, names) ?? '`dexsync env list` lists the environments.',
          ),
        ),
    ];
  });
}

const FORMS =
  'Write `webhook: "${env.SLACK_URL}"` with `as: slack`, `teams` or `json`, or `mail: { server, from, to }`.';
const SECRET =
  'Everybody who knows the URL can write there. Write `webhook: "${env.SLACK_URL}"`. Replace the webhook if others have seen the file.';
const PASSWORD =
  'Write it as `smtps://USER:${env.MAIL_PASSWORD}@HOST`. Change that password: the file may have been committed.';
const PLAIN_PASSWORD = /:\/\/[^/@\s]*:(?!\$\{env\.\w+\}@)[^/@\s]+@/;
