import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SshKey } from '#base/ssh/public-key.js';
import { isSignatureOf, readSshSignature } from '#base/ssh/ssh-signature.js';
import { NAMESPACES } from '#core/model/verdict.js';
import type { Variables } from '#project/host.js';

/** The state of a plan's signature; `unchecked`: it has a signature, but there is no key to check it with. */
export type Signature = 'none' | 'unchecked' | 'missing' | 'wrong' | 'valid';

const PREFIX = 'sha256:';

/** Formats a digest as in plan files: `sha256:` and hexadecimal. */
export const digestText = (hex: string): string => `${PREFIX}${hex}`;

/** Returns the key that plans are signed with. An empty variable counts as not set. */
export const planKey = ({ DEXSYNC_PLAN_KEY }: Variables): string | undefined => DEXSYNC_PLAN_KEY || undefined;

/** Returns the HMAC-SHA256 of the digest: the holder of the key vouches for the whole plan. */
export const sign = (digest: string, key: string): string =>
  digestText(createHmac('sha256', key).update(`dexsync-plan/1 ${digest}`).digest('hex'));

/** What a pipeline signs of a plan or rollout. */
export const signedText = (digest: string): string => `dexsync-plan/1 ${digest}\n`;

/** The key that a pipeline signed a plan with; undefined if the signature is not one of this plan. */
export function pipelineKey(digest: string, signed: unknown): SshKey | undefined {
  const signature = typeof signed === 'string' ? readSshSignature(signed) : undefined;
  return signature !== undefined && isSignatureOf(signature, signedText(digest), NAMESPACES.plan)
    ? signature.key
    : undefined;
}

/** Compares in constant time, so that a signature cannot be guessed byte by byte. */
export function checkSignature(digest: string, hmac: string | undefined, key: string | undefined): Signature {
  if (key === undefined) return hmac === undefined ? 'none' : 'unchecked';
  if (hmac === undefined) return 'missing';
  const [given, right] = [Buffer.from(hmac), Buffer.from(sign(digest, key))];
  return given.length === right.length && timingSafeEqual(given, right) ? 'valid' : 'wrong';
}
