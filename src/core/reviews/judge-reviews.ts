import { type AllowedSigner, principalsOf } from '#base/ssh/allowed-signers.js';
import { fingerprintOf } from '#base/ssh/public-key.js';
import type { Statement } from '../model/verdict.js';
import type { OpenedVerdict, Verdict } from './open-verdicts.js';
import { namespaceOf } from './statement.js';

/** A group of people who review. */
export interface ReviewRole {
  readonly members: readonly string[];
  /** How many of them must approve; 0 by default. */
  readonly required?: number | undefined;
  /** Whether verdicts count that they clicked on the page. */
  readonly page?: boolean | undefined;
}

/** Who must approve, as one commit says it. */
export interface ReviewPolicy {
  /** The ref and commit that it was read from, as messages name it. */
  readonly source: string;
  /** How many people must approve. */
  readonly required: number;
  readonly notAuthor: boolean;
  /** Milliseconds that an approval holds. */
  readonly validFor: number;
  /** Empty: all allowed signers review. */
  readonly roles: Readonly<Record<string, ReviewRole>>;
  readonly signers: readonly AllowedSigner[];
  /** The approvals on forges that it asks for as well. */
  readonly forge?:
    | Readonly<Partial<Record<'github' | 'gitlab', { readonly approvals: number } | undefined>>>
    | undefined;
}

/** What verdicts are judged for. */
export interface Reviewed {
  /** Digest of the changes. */
  readonly subject: string;
  /** Digest of the very plan, if the verdicts must be about no other. */
  readonly plan?: string | undefined;
  readonly stack: string;
  readonly workspaces: readonly string[];
  /** Digests of verdicts that let an apply through before, which ended. */
  readonly spent?: ReadonlySet<string>;
  /** Names of the people whose changes these are. */
  readonly authors: readonly string[];
  readonly now: Date;
}

/** A verdict, and what it is worth. */
export interface JudgedVerdict {
  readonly verdict?: Statement['verdict'];
  readonly signer?: string;
  /** The fingerprint of the key. */
  readonly key?: string;
  readonly at?: string;
  readonly through?: 'page';
  readonly reason?: string;
  readonly digest: string;
  /** Why it does not count, for the end of a sentence; absent if it counts. */
  readonly problem?: string;
}

/** What all verdicts come to under all policies that apply. */
export interface Judgement {
  readonly verdicts: readonly JudgedVerdict[];
  /** The verdicts that reject, each person's last one. */
  readonly rejections: readonly JudgedVerdict[];
  readonly approvals: readonly JudgedVerdict[];
  /** What is missing, such as `1 of 2 approvals`; absent if it is approved. */
  readonly missing?: string;
}

/** Signers' clocks may differ from ours by that, in milliseconds. */
export const SKEW = 5 * 60_000;

/** Judges verdicts by policies that must all agree. A person's last verdict counts, by the time that it was signed with. */
export function judgeReviews(
  verdicts: readonly Verdict[],
  reviewed: Reviewed,
  policies: readonly ReviewPolicy[],
): Judgement {
  const judged = verdicts.map((one) => judge(one, reviewed, policies));
  const last = new Map<string, JudgedVerdict>();
  for (const one of judged) {
    const { signer = '', at = '', problem } = one;
    if (problem === undefined && at >= (last.get(signer)?.at ?? '')) last.set(signer, one);
  }
  const standing = [...last.values()];
  // One key is one person, under any name.
  const approvals = standing.filter(
    ({ verdict, key, through }, index) =>
      verdict === 'approved' &&
      (through !== undefined ||
        !standing.slice(0, index).some((other) => other.verdict === 'approved' && other.key === key)),
  );
  const rejections = standing.filter(({ verdict }) => verdict === 'rejected');
  const missing = policies.map((policy) => missingOf(approvals, policy)).find((found) => found !== undefined);
  return { verdicts: judged, rejections, approvals, ...(missing === undefined ? {} : { missing }) };
}

function judge(one: Verdict, reviewed: Reviewed, policies: readonly ReviewPolicy[]): JudgedVerdict {
  if ('damage' in one) return { digest: one.digest, problem: one.damage };
  const { statement, key, digest } = one;
  const { verdict, signer, at, through, reason } = statement;
  const problem =
    one.misplaced ??
    (verdict === 'approved' ? (one.problem ?? ofApproval(one, reviewed, policies)) : undefined) ??
    aboutOther(statement, reviewed) ??
    policies.map((policy) => refusal(one, reviewed, policy)).find((found) => found !== undefined);
  return {
    ...{ verdict, signer, at, digest, key: fingerprintOf(key) },
    ...(through === undefined ? {} : { through }),
    ...(reason === undefined ? {} : { reason: reason.replaceAll(/\s+/g, ' ') }),
    ...(problem === undefined ? {} : { problem }),
  };
}

function aboutOther({ subject, stack, workspaces, at }: Statement, reviewed: Reviewed): string | undefined {
  if (subject !== reviewed.subject) return 'it is about other changes';
  if (stack !== reviewed.stack) return `it is about stack "${stack}"`;
  if (!reviewed.workspaces.every((one) => workspaces.includes(one))) return 'it is about another workspace';
  return Date.parse(at) <= reviewed.now.getTime() + SKEW ? undefined : `its time, ${at}, is still to come`;
}

/** A rejection holds until its author approves; it does not expire, and holds for every equal plan. */
function ofApproval(
  { statement: { at, expires, plan }, digest }: OpenedVerdict,
  { now, plan: wanted = plan, spent }: Reviewed,
  policies: readonly ReviewPolicy[],
): string | undefined {
  const end = Math.min(Date.parse(expires), ...policies.map(({ validFor }) => Date.parse(at) + validFor));
  if (end <= now.getTime()) return `it expired at ${new Date(end).toISOString()}`;
  if (spent?.has(digest) === true) return 'an apply has used it already';
  return plan === wanted
    ? undefined
    : 'it is about an equal plan, and no pipeline signed this one (`apply --as-reviewed` plans again)';
}

/** Why a policy does not accept a verdict. */
function refusal(
  { statement, key }: OpenedVerdict,
  { authors }: Reviewed,
  { source, signers, roles, notAuthor }: ReviewPolicy,
): string | undefined {
  const { signer, through, at, verdict } = statement;
  const names = principalsOf(key, { namespace: namespaceOf(statement), at: Date.parse(at) }, signers);
  // The key of the server signs for the person who is logged in.
  if (through === undefined ? !names.some(isSame(signer)) : names.length === 0)
    return `the key ${fingerprintOf(key)} is not one of ${through === undefined ? signer : 'the page'} in the allowed signers of ${source}`;
  if (verdict === 'rejected') return undefined;
  const own = Object.values(roles).filter(({ members }) => members.some(isSame(signer)));
  if (Object.keys(roles).length > 0 && own.length === 0) return `${signer} has no role in \`reviews\` of ${source}`;
  if (through !== undefined && !own.some(({ page }) => page === true))
    return `no role of ${signer} in \`reviews\` of ${source} accepts a click on the page`;
  return notAuthor && authors.some(isPerson(signer)) ? `${signer} is an author of the changes` : undefined;
}

const isSame =
  (name: string) =>
  (other: string): boolean =>
    other.toLowerCase() === name.toLowerCase();

/** Whether a name of an author is that of a signer: the same, or the part of an address before the @. */
const isPerson =
  (signer: string) =>
  (author: string): boolean =>
    isSame(signer)(author) || isSame(signer.split('@')[0] ?? '')(author);

function missingOf(approvals: readonly JudgedVerdict[], { required, roles }: ReviewPolicy): string | undefined {
  if (approvals.length < required) return `${approvals.length} of ${required} approvals`;
  for (const [role, { members, required: least = 0, page }] of Object.entries(roles)) {
    const given = approvals.filter(
      ({ signer = '', through }) => members.some(isSame(signer)) && (through === undefined || page === true),
    );
    if (given.length < least) return `${given.length} of ${least} approvals of the role "${role}"`;
  }
  return undefined;
}
