import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { groupBy } from '#core/model/group-by.js';
import type { SignedVerdict } from '#core/model/verdict.js';
import { judgeReviews, type Reviewed } from '#core/reviews/judge-reviews.js';
import { openVerdict } from '#core/reviews/open-verdicts.js';
import type { ReviewedGroup } from '#core/stream/fleet-event.js';
import { listApprovals, standingReviews } from '#ledger/approvals.js';
import { authorText, type PlanReview } from '#ledger/stored-plan.js';
import type { Rollout, StoredRollout } from '#ledger/stored-rollout.js';
import type { Config } from '#project/config/load-config.js';
import type { Host } from '#project/host.js';
import { findPolicies, type PlannedFrom, type Policies } from '#project/reviews/find-policies.js';
import { namesOf } from '../planfile/plan-verdicts.js';
import type { Approving } from '../planfile/reviews.js';
import { type Signing, signVerdict, type VerdictToSign } from '../planfile/sign-verdict.js';
import { refuseUnsigned, verdictsOf, withApprovals } from '../planfile/signed-reviews.js';

/** The groups of a rollout, the largest first, with the last verdict of each person but its author. */
export function reviewedGroups({ rollout, notes }: Pick<StoredRollout, 'rollout' | 'notes'>): readonly ReviewedGroup[] {
  const groups = groupBy(rollout.targets, ({ group }) => group);
  return [...groups]
    .map(([group, targets]): ReviewedGroup => {
      const reviews = notes.flatMap(({ group: of, is, at, author, reason, signed }): PlanReview[] =>
        of === group && (is === 'approved' || is === 'rejected')
          ? [
              {
                at,
                author,
                ...omitUndefined({ reason }),
                verdict: is,
                digest: group,
                by: signerOf(signed) ?? authorText(author),
              },
            ]
          : [],
      );
      const names = (found: readonly PlanReview[]): string[] => found.map(({ by }) => by);
      return {
        group,
        environments: targets.map(({ environment }) => environment),
        approvedBy: names(listApprovals({ author: rollout.author, reviews })),
        rejectedBy: names(standingReviews({ reviews }).filter(({ verdict }) => verdict === 'rejected')),
      };
    })
    .sort((one, other) => other.environments.length - one.environments.length);
}

/** The signer of a verdict whose signature is one of its statement. */
function signerOf(signed: SignedVerdict | undefined): string | undefined {
  const opened = signed && openVerdict(signed);
  return opened !== undefined && 'statement' in opened ? opened.statement.signer : undefined;
}

/** Who must approve the groups of a rollout with a signature; undefined if nobody must. Authors are those of its commits. */
export const rolloutPolicies = (rollout: Rollout, config: Config, host: Host): Promise<Policies | undefined> =>
  findPolicies(
    config,
    rollout.targets.map(({ environment }) => environment),
    plannedFrom(rollout),
    host,
  );

const plannedFrom = ({ at: createdAt, git }: Rollout): PlannedFrom => ({
  createdAt,
  commit: git?.commit,
  base: git?.base,
});

type Reviewable = Pick<StoredRollout, 'name' | 'rollout' | 'notes'>;

/** Throws PLAN_REJECTED or PLAN_UNAPPROVED unless the reviews of each group allow it. */
export async function refuseUnreviewedGroups(
  stored: Reviewable,
  { approvals = 0, policies }: Approving,
  { clock }: Pick<Host, 'clock'>,
): Promise<void> {
  for (const group of reviewedGroups(stored)) {
    if (policies === undefined) refuseUnapproved(group, stored, approvals);
    else {
      const reviewed = await reviewedGroup(group, stored, policies, clock());
      refuseUnsigned(verdictsOn(group, stored), reviewed, withApprovals(policies.policies, approvals), {
        what: `ledger:${stored.name}, in ${whatOf(group)},`,
        command: commandOf(group, stored),
      });
    }
  }
}

/** The signed verdicts on a group. */
const verdictsOn = ({ group }: Pick<ReviewedGroup, 'group'>, { notes, rollout }: Reviewable) =>
  verdictsOf([{ digest: rollout.digest, createdAt: rollout.at, notes: notes.filter((note) => note.group === group) }]);

const whatOf = ({ environments }: ReviewedGroup): string =>
  `the changes of ${environments.length === 1 ? environments[0] : `${environments.length} environments`}`;

const commandOf = ({ group }: ReviewedGroup, { name }: Reviewable): string =>
  `dexsync fleet review ledger:${name} --group ${group.slice(0, 12)}`;

/** What verdicts on a group are judged for: exactly this rollout, and all its environments. */
async function reviewedGroup(
  { group: subject }: ReviewedGroup,
  { rollout }: Reviewable,
  { authorsOf }: Policies,
  now: Date,
): Promise<Reviewed> {
  const { digest: plan, stack, author, git } = rollout;
  const authors = [
    ...(await authorsOf(plannedFrom(rollout))),
    ...namesOf(author),
    ...(git?.user === undefined ? [] : [git.user]),
  ];
  return { subject, plan, stack, authors, now, workspaces: workspacesOf(subject, rollout) };
}

const workspacesOf = (group: string, { targets }: Rollout): string[] =>
  targets.filter((target) => target.group === group).map(({ workspace }) => workspace);

function refuseUnapproved(group: ReviewedGroup, stored: Reviewable, approvals: number): void {
  const { approvedBy, rejectedBy } = group;
  const [what, review] = [whatOf(group), `\`${commandOf(group, stored)}`];
  const [by] = rejectedBy;
  if (by !== undefined)
    throw new DexsyncError('PLAN_REJECTED', `${by} rejected ${what} in the rollout ${stored.name}.`, {
      hint: `Plan a new rollout, or have the same person run ${review} --approve\`.`,
    });
  if (approvedBy.length >= approvals) return;
  const message = `In the rollout ${stored.name}, ${what} have ${approvedBy.length} of ${approvals} approvals. An approval by its author does not count.`;
  throw new DexsyncError('PLAN_UNAPPROVED', message, {
    hint: `Others can look at it with \`dexsync fleet status ledger:${stored.name}\` and approve it with ${review} --approve\`.`,
  });
}

/** Signs a verdict on a group of a rollout. */
export const signGroup = (
  group: string,
  { rollout, notes }: StoredRollout,
  given: Pick<VerdictToSign, 'verdict' | 'at' | 'reason'>,
  signing: Pick<Signing, 'policy' | 'key'>,
  host: Host,
): Promise<SignedVerdict> =>
  signVerdict(
    {
      ...{ ...given, subject: group, plan: rollout.digest, stack: rollout.stack },
      workspaces: workspacesOf(group, rollout),
    },
    { ...signing, before: notes.filter((note) => note.group === group) },
    host,
  );

/** Why verdicts on groups do not count, each for the end of a sentence. */
export async function groupProblems(
  stored: Reviewable,
  policies: Policies,
  { clock }: Pick<Host, 'clock'>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const group of reviewedGroups(stored)) {
    const reviewed = await reviewedGroup(group, stored, policies, clock());
    const { verdicts } = judgeReviews(verdictsOn(group, stored), reviewed, policies.policies);
    problems.push(...verdicts.flatMap(({ problem }) => problem ?? []));
  }
  return [...new Set(problems)];
}
