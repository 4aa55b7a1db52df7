import { DexsyncError } from '#base/errors.js';
import { isObject, type JsonObject, jsonIn } from '#core/model/json.js';
import { NAMESPACES, type Statement, statementSchema } from '#core/model/verdict.js';
import { openVerdict } from '#core/reviews/open-verdicts.js';
import { hasShape } from '#core/shape.js';
import type { Host } from '#project/host.js';
import { findSigningKeys, signWith } from '#project/reviews/sign.js';
import { requestJson } from '#service/json-request.js';

/** A link of the page of `dexsync serve` to a statement, and how to sign that. */
export interface SignForPageOptions {
  readonly link: string;
  /** The verdict that is meant; a statement that says another one is refused. */
  readonly verdict: Statement['verdict'];
  /** The file of the SSH key; by default the one of `git config user.signingKey`, or the only one of this person. */
  readonly key?: string | undefined;
}

/** A verdict that the page recorded. */
export interface SignedForPage extends Pick<Statement, 'verdict' | 'signer' | 'subject' | 'at'> {
  readonly name: string;
  readonly environment: string;
  readonly missing?: string;
}

const TIMEOUT = 30_000;

/** Signs the statement behind a link of the page, and sends it there. Needs neither the project nor the ledger. Throws NETWORK, USAGE and PLAN_UNAPPROVED. */
export async function signForPage(
  { link, verdict, key: named }: SignForPageOptions,
  host: Host,
): Promise<SignedForPage> {
  host.secrets.add(link.split('/').at(-1));
  const { statement: text } = await ask(link);
  const statement = jsonIn(String(text));
  if (!hasShape(statementSchema, statement)) throw noPage('it shows no statement');
  const { verdict: stated, signer, subject, at } = statement as unknown as Statement;
  if (verdict !== stated)
    throw new DexsyncError('USAGE', `The page asks to sign that the plan is ${stated}, and you asked for ${verdict}.`, {
      hint: 'Choose the verdict on the page again.',
    });
  const [key] = await findSigningKeys(named, host);
  if (key === undefined)
    throw new DexsyncError('USAGE', 'No SSH key was found to sign the verdict with.', {
      hint: 'Name one with `--key FILE`.',
    });
  const signature = await signWith(key, String(text), NAMESPACES.review, host);
  if ('damage' in openVerdict({ statement: String(text), signature })) throw noPage('its statement cannot be signed');
  const recorded = await ask(link, { signature });
  return {
    ...{ verdict: stated, signer, subject, at },
    ...{ name: String(recorded.name), environment: String(recorded.environment) },
    ...(typeof recorded.missing === 'string' ? { missing: recorded.missing } : {}),
  };
}

async function ask(url: string, body?: object): Promise<JsonObject> {
  const { status, text } = await requestJson({ url, ...(body === undefined ? {} : { body }) }, TIMEOUT).catch(
    (error: unknown) => {
      if (error instanceof DexsyncError) throw noPage(error.message);
      throw error;
    },
  );
  const answer = jsonIn(text);
  if (!isObject(answer)) throw noPage(`it answered with status ${status}, and not as the page of \`dexsync serve\``);
  const { error } = answer;
  if (!isObject(error)) return answer;
  throw new DexsyncError('PLAN_UNAPPROVED', String(error.message), {
    hint: typeof error.hint === 'string' ? error.hint : 'Open the page of the plan and ask for the statement again.',
  });
}

const noPage = (why: string): DexsyncError =>
  new DexsyncError('NETWORK', `The link of the page cannot be used: ${why}.`, {
    hint: 'Copy it from the page of the plan, where it holds for 15 minutes.',
  });
