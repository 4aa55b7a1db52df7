import { omitUndefined } from '#base/omit-undefined.js';
import { fingerprintOf } from '#base/ssh/public-key.js';
import type { ReviewedFacts } from '../model/apply-facts.js';
import type { JudgedVerdict } from './judge-reviews.js';
import { openVerdicts } from './open-verdicts.js';

/** Verifies the verdicts that an apply recorded; `problem` says why one of them proves nothing. */
export const recordedVerdicts = ({ subject, approvals, verdicts }: ReviewedFacts): readonly JudgedVerdict[] =>
  openVerdicts(verdicts).map((one) => {
    if ('damage' in one) return { digest: one.digest, problem: one.damage };
    const { statement, key, digest, problem } = one;
    const { verdict, signer, at, through, reason } = statement;
    const isOther = statement.subject !== subject ? 'it is about other changes' : undefined;
    const isLeftOut =
      verdict === 'approved' && !approvals.includes(digest) ? 'it was not counted when it was applied' : undefined;
    return {
      ...{ verdict, signer, at, digest, key: fingerprintOf(key) },
      ...omitUndefined({ through, problem: problem ?? isOther ?? isLeftOut, reason: reason?.replaceAll(/\s+/g, ' ') }),
    };
  });
