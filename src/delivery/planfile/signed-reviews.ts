import { DexsyncError } from '#base/errors.js';
import { principalsOf } from '#base/ssh/allowed-signers.js';
import { readSshSignature } from '#base/ssh/ssh-signature.js';
import type { ReviewedFacts } from '#core/model/apply-facts.js';
import { NAMESPACES, type SignedVerdict } from '#core/model/verdict.js';
import {
  type JudgedVerdict,
  type Judgement,
  judgeReviews,
  type Reviewed,
  type ReviewPolicy,
  SKEW,
} from '#core/reviews/judge-reviews.js';
import { openVerdicts, type Verdict } from '#core/reviews/open-verdicts.js';
import { timeText } from './plan-errors.js';

/** A note with a verdict, which may be signed. */
export interface VerdictNote {
  readonly at: string;
  readonly signed?: SignedVerdict | undefined;
}

/** A plan or rollout in the ledger, with the verdicts on it. */
export interface VerdictDocument {
  readonly digest: string;
  readonly createdAt: string;
  readonly notes: readonly VerdictNote[];
}

/** Verifies the verdicts of several documents. One that was copied from elsewhere, or is older than its plan, is misplaced. */
export const verdictsOf = (documents: readonly VerdictDocument[]): readonly Verdict[] =>
  documents.flatMap(({ digest, createdAt, notes }) =>
    openVerdicts(notes.flatMap(({ signed }) => signed ?? [])).map((one): Verdict => {
      if ('damage' in one) return one;
      const { plan, at } = one.statement;
      if (plan !== digest) return { ...one, misplaced: 'it was given on another plan' };
      return Date.parse(at) >= Date.parse(createdAt) - SKEW
        ? one
        : { ...one, misplaced: `its time, ${at}, is before the plan that it is about` };
    }),
  );

/** What people approve, as messages name it. */
export interface ReviewSubject {
  /** For the beginning of a sentence: `ledger:NAME`. */
  readonly what: string;
  /** The command that reviews it, without the verdict. */
  readonly command: string;
}

/** Judges verdicts. Throws PLAN_REJECTED and PLAN_UNAPPROVED; returns what the history keeps. */
export function refuseUnsigned(
  verdicts: readonly Verdict[],
  reviewed: Reviewed,
  policies: readonly ReviewPolicy[],
  subject: ReviewSubject,
): ReviewedFacts {
  const judgement = judgeReviews(verdicts, reviewed, policies);
  const [rejection] = judgement.rejections;
  if (rejection !== undefined) throw rejected(rejection, subject);
  if (judgement.missing !== undefined) throw unapproved(judgement, policies, subject);
  return {
    subject: reviewed.subject,
    policies: policies.map(({ source }) => source),
    approvals: judgement.approvals.map(({ digest }) => digest),
    verdicts: verdicts.map(({ signed }) => signed),
  };
}

/** Requires as many approvals as somebody asks for beside the policies. */
export const withApprovals = (policies: readonly ReviewPolicy[], approvals = 0): readonly ReviewPolicy[] =>
  policies.map((policy) => ({ ...policy, required: Math.max(policy.required, approvals) }));

/** Whether the key of a plan's signature, which was verified when it was read, is one that all policies allow. */
export function isByPipeline(
  signed: string | undefined,
  createdAt: string,
  policies: readonly ReviewPolicy[],
): boolean {
  const key = signed === undefined ? undefined : readSshSignature(signed)?.key;
  const asked = { namespace: NAMESPACES.plan, at: Date.parse(createdAt) };
  return key !== undefined && policies.every(({ signers }) => principalsOf(key, asked, signers).length > 0);
}

function rejected({ signer, at = '', reason }: JudgedVerdict, { what, command }: ReviewSubject): DexsyncError {
  const why = reason === undefined ? '' : `: "${reason}"`;
  return new DexsyncError('PLAN_REJECTED', `${signer} rejected ${what} on ${timeText(at)}${why}.`, {
    hint: `Change the manifests and save a new plan, or have ${signer} run \`${command} --approve\`.`,
  });
}

/** How many verdicts that do not count a message explains. */
const MOST = 5;

function unapproved(
  { approvals, missing, verdicts }: Judgement,
  policies: readonly ReviewPolicy[],
  { what, command }: ReviewSubject,
): DexsyncError {
  const given = approvals.map(({ signer }) => signer).join(', ');
  const others = verdicts.filter(({ problem }) => problem !== undefined);
  const why = others
    .slice(-MOST)
    .map(({ signer = 'somebody', problem }) => ` The verdict of ${signer} does not count: ${problem}.`)
    .join('');
  const message = `${what} has ${missing}${given === '' ? '' : ` (approved by ${given})`}, as \`reviews\` of ${policies[0]?.source} asks for.${why}`;
  return new DexsyncError('PLAN_UNAPPROVED', message, {
    hint: `Have allowed signers approve it with \`${command} --approve\`.`,
  });
}
