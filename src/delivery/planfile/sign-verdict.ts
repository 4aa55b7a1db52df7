import { DexsyncError } from '#base/errors.js';
import { principalsOf } from '#base/ssh/allowed-signers.js';
import { fingerprintOf } from '#base/ssh/public-key.js';
import { NAMESPACES, type SignedVerdict, type Statement, VERDICT_FORMAT } from '#core/model/verdict.js';
import type { ReviewPolicy } from '#core/reviews/judge-reviews.js';
import { verdictDigest } from '#core/reviews/open-verdicts.js';
import { statementText } from '#core/reviews/statement.js';
import type { Host } from '#project/host.js';
import { findSigningKeys, type SigningKey, signWith } from '#project/reviews/sign.js';
import type { VerdictNote } from './signed-reviews.js';

/** What a person is about to sign. */
export type VerdictToSign = Pick<Statement, 'subject' | 'plan' | 'stack' | 'workspaces' | 'verdict' | 'at' | 'reason'>;

/** How a verdict is signed, and which verdicts were given before it. */
export interface Signing {
  readonly policy: ReviewPolicy;
  readonly before: readonly VerdictNote[];
  /** The file of a key; by default one of this person's that the policy knows. */
  readonly key?: string | undefined;
}

/** Signs a verdict with a key of this person. Throws USAGE and PLAN_UNAPPROVED if there is no allowed one. */
export async function signVerdict(given: VerdictToSign, signing: Signing, host: Host): Promise<SignedVerdict> {
  const { key, signer } = await allowedKey(signing.key, Date.parse(given.at), signing.policy, host);
  const statement = statementOf({ ...given, signer }, signing);
  if (key.key.application !== undefined) host.emit({ type: 'diagnostic', diagnostic: TOUCH });
  return { statement, signature: await signWith(key, statement, NAMESPACES.review, host) };
}

/** The text of a verdict that is about to be signed. */
export function statementOf(
  given: VerdictToSign & Pick<Statement, 'signer' | 'through'>,
  { policy, before }: Pick<Signing, 'policy' | 'before'>,
): string {
  const last = before.findLast(({ signed }) => signed !== undefined)?.signed;
  return statementText({
    ...{ format: VERDICT_FORMAT, ...given },
    expires: new Date(Date.parse(given.at) + policy.validFor).toISOString(),
    ...(last === undefined ? {} : { before: verdictDigest(last) }),
  });
}

const TOUCH = {
  severity: 'warning',
  code: 'security-key',
  message: 'The security key signs when it is touched.',
} as const;

async function allowedKey(
  named: string | undefined,
  at: number,
  policy: ReviewPolicy,
  host: Host,
): Promise<{ readonly key: SigningKey; readonly signer: string }> {
  const keys = await findSigningKeys(named, host);
  for (const key of keys) {
    const names = principalsOf(key.key, { namespace: NAMESPACES.review, at }, policy.signers);
    const members = Object.values(policy.roles).flatMap((role) => role.members);
    const signer = names.find((name) => members.includes(name)) ?? names[0];
    if (signer !== undefined) return { key, signer };
  }
  const [first] = keys;
  const found = keys
    .slice(0, MOST)
    .map(({ key }) => fingerprintOf(key))
    .join(', ');
  if (first === undefined)
    throw new DexsyncError('USAGE', 'No SSH key was found to sign the verdict with.', {
      hint: 'Name one with `--key FILE`. `ssh-keygen -t ed25519` makes one.',
    });
  throw new DexsyncError(
    'PLAN_UNAPPROVED',
    `No key of yours is among the allowed signers of ${policy.source}: ${found}.`,
    {
      hint: `Have somebody add this line there, or name another key with \`--key FILE\`: you@example.com namespaces="${NAMESPACES.review}" ${first.line.split(' ').slice(0, 2).join(' ')}`,
    },
  );
}

/** How many keys a message names. */
const MOST = 5;
