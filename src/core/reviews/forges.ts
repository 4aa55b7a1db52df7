import { isObject, onlyObject, onlyObjectsIn } from '../model/json.js';
import type { ReviewPolicy } from './judge-reviews.js';

type ForgeName = keyof NonNullable<ReviewPolicy['forge']>;

/** A pull request or merge request. */
export interface ForgeChange {
  readonly number: number;
  /** The login of its author. */
  readonly author: string;
  /** The branch that it is for. */
  readonly branch: string;
  readonly isAbandoned: boolean;
  /** Its last commit. */
  readonly head: string;
  /** Its last commit, and those that it became. */
  readonly commits: readonly unknown[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** How a forge is asked for approvals. Functions that read answers throw TypeError for those of another form. */
export interface Forge {
  readonly name: string;
  readonly change: string;
  /** The variable with a token. */
  readonly token: string;
  /** What the token must be allowed to do. */
  readonly right: string;
  /** The variables of its pipelines that say where the project is. */
  readonly place: string;
  /** The URL of the project in the API; undefined if a variable is missing. */
  projectUrl(variables: Variables): string | undefined;
  headers(token: string): Readonly<Record<string, string>>;
  /** The path of the changes that a commit belongs to. */
  changesOf(commit: string): string;
  changeIn(answer: unknown): ForgeChange;
  approvalsOf(number: number): string;
  /** The logins of the people whose approvals of the last commit count. */
  approversIn(answers: readonly unknown[], change: ForgeChange): readonly string[];
}

const github: Forge = {
  ...{ name: 'GitHub', change: 'pull request', token: 'GITHUB_TOKEN', place: 'GITHUB_REPOSITORY' },
  right: '`pull-requests: read`',
  projectUrl: ({ GITHUB_API_URL, GITHUB_REPOSITORY }) =>
    GITHUB_REPOSITORY && /^[\w.-]+\/[\w.-]+$/.test(GITHUB_REPOSITORY)
      ? `${GITHUB_API_URL || 'https://api.github.com'}/repos/${GITHUB_REPOSITORY}`
      : undefined,
  headers: (token) => ({ authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' }),
  changesOf: (commit) => `commits/${encodeURIComponent(commit)}/pulls`,
  changeIn(answer) {
    const { number, user, base, head, state, merged_at, merge_commit_sha } = needObject(answer);
    const last = needText(needObject(head).sha);
    return {
      ...{ number: needNumber(number), author: loginIn(user) ?? '', branch: needText(needObject(base).ref) },
      isAbandoned: needText(state) === 'closed' && typeof merged_at !== 'string',
      ...{ head: last, commits: [last, merge_commit_sha] },
    };
  },
  approvalsOf: (number) => `pulls/${number}/reviews`,
  approversIn(answers, { author, head }) {
    const last = new Map<string, boolean>();
    for (const review of onlyObjectsIn(answers)) {
      const { user, state, commit_id, author_association: role } = review;
      const login = loginIn(user);
      // A comment takes no approval back.
      if (login === undefined || !DECIDING.includes(needText(state))) continue;
      // Everybody may review in a public repository, and a program may where the settings let it.
      const isTrusted = needObject(user).type === 'User' && MEMBERS.includes(needText(role));
      last.set(login, state === 'APPROVED' && commit_id === head && isTrusted);
    }
    return [...last].filter(([login, approves]) => approves && !isSame(login, author)).map(([login]) => login);
  },
};

const DECIDING: readonly string[] = ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'];
const MEMBERS: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR'];

const gitlab: Forge = {
  ...{ name: 'GitLab', change: 'merge request', token: 'GITLAB_TOKEN', place: 'CI_API_V4_URL and CI_PROJECT_ID' },
  right: 'the scope `read_api`',
  projectUrl: ({ CI_API_V4_URL, CI_PROJECT_ID }) =>
    CI_API_V4_URL && CI_PROJECT_ID ? `${CI_API_V4_URL}/projects/${encodeURIComponent(CI_PROJECT_ID)}` : undefined,
  headers: (token) => ({ 'private-token': token }),
  changesOf: (commit) => `repository/commits/${encodeURIComponent(commit)}/merge_requests`,
  changeIn(answer) {
    const { iid, author, target_branch, state, sha, merge_commit_sha, squash_commit_sha } = needObject(answer);
    const last = needText(sha);
    return {
      ...{ number: needNumber(iid), author: loginIn(author) ?? '', branch: needText(target_branch) },
      isAbandoned: needText(state) === 'closed',
      ...{ head: last, commits: [last, merge_commit_sha, squash_commit_sha] },
    };
  },
  approvalsOf: (number) => `merge_requests/${number}/approvals`,
  approversIn: ([answer], { author }) =>
    onlyObjectsIn(needObject(answer).approved_by)
      .flatMap(({ user }) => loginIn(user) ?? [])
      .filter((login) => !isSame(login, author) && !PROGRAM.test(login)),
};

/** The users of the access tokens of projects and groups, and of services. */
const PROGRAM = /^(?:(?:project|group)_\d+_bot|service_account_)/;

export const FORGES: Readonly<Record<ForgeName, Forge>> = { github, gitlab };

/** The names of the forges whose approvals policies ask for. */
export const forgesOf = (policies: readonly Pick<ReviewPolicy, 'forge'>[]): string[] =>
  Object.entries(FORGES).flatMap(([name, forge]) =>
    policies.some((policy) => policy.forge?.[name as ForgeName] !== undefined) ? [forge.name] : [],
  );

/** A user's login; undefined for one who was deleted. */
const loginIn = (user: unknown): string | undefined => {
  const found = onlyObject(user);
  return found === undefined ? undefined : needText(found.login ?? found.username);
};

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

function needObject(value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new TypeError('an object is missing');
}

function needText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError('a text is missing');
}

function needNumber(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new TypeError('a number is missing');
}
