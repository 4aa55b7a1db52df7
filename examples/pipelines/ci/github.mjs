// What the jobs ask of GitHub. `comment FILE`: keeps one comment on the pull request NUMBER up to date.
// `reviewed`: writes the plan.json that was reviewed for the commit of this run, and those of the changes that were merged last.
// `propose BRANCH COMMIT`: keeps one pull request of a branch up to date, with drift.md as its text; what was closed stays closed.
// `settle BRANCH`: closes it.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const { GITHUB_API_URL, GITHUB_REF_NAME, GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_TOKEN, NUMBER } = process.env;

async function ask(path, method = 'GET', body = undefined) {
  const answer = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${path}`, {
    method,
    headers: { authorization: `Bearer ${GITHUB_TOKEN}`, accept: 'application/vnd.github+json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function* comments() {
  for (let page = 1, found = []; page === 1 || found.length === 100; page += 1) {
    found = await (await ask(`issues/${NUMBER}/comments?per_page=100&page=${page}`)).json();
    yield* found;
  }
}

async function comment(file) {
  const body = await readFile(file, 'utf8');
  // The first line says which plan it is. Others may quote it: only what this job wrote is replaced.
  const [marker] = body.split('\n');
  for await (const one of comments()) {
    if (one.user?.login !== 'github-actions[bot]' || !one.body.startsWith(marker)) continue;
    return ask(`issues/comments/${one.id}`, 'PATCH', { body });
  }
  return ask(`issues/${NUMBER}/comments`, 'POST', { body });
}

/** Writes the newest plan of a commit, and tells whether there is one. */
async function take(commit, file) {
  const { artifacts } = await (await ask(`actions/artifacts?name=plan-${commit}`)).json();
  // Not of a run of a fork, which can save what it likes.
  const [own] = artifacts
    .filter(({ expired, workflow_run: run }) => !expired && run.head_repository_id === run.repository_id)
    .sort((a, b) => b.id - a.id);
  if (own === undefined) return false;
  const zip = await ask(`actions/artifacts/${own.id}/zip`);
  await writeFile('.dexsync/plan.zip', Buffer.from(await zip.arrayBuffer()));
  await writeFile(file, execFileSync('unzip', ['-p', '.dexsync/plan.zip', 'plan.json'], { maxBuffer: 2 ** 28 }));
  return true;
}

/** This job may run before those of changes that were merged before: their plans are applied first where that is due. */
async function others(own) {
  const closed = await (await ask('pulls?state=closed&sort=updated&direction=desc&per_page=10')).json();
  const merged = closed
    .filter(({ merged_at: at, head }) => at !== null && !own.includes(head.sha))
    .sort((a, b) => (a.merged_at < b.merged_at ? -1 : 1));
  for (const [index, { head }] of merged.entries()) await take(head.sha, `.dexsync/plans/${10 + index}.json`);
}

/** A merge and a squash have a commit of their own; GitHub knows which pull request it came from. */
async function reviewed() {
  const pulls = await (await ask(`commits/${GITHUB_SHA}/pulls`)).json();
  const own = pulls.filter(({ merged_at: at }) => at !== null).map(({ head }) => head.sha);
  await mkdir('.dexsync/plans', { recursive: true });
  for (const commit of [GITHUB_SHA, ...own]) {
    if (!(await take(commit, 'plan.json'))) continue;
    await others(own);
    return console.log(`Reviewed plan of ${commit}`);
  }
  console.error(
    `No plan was made for ${GITHUB_SHA}. Start this workflow by hand, read its plan, then run this job again.`,
  );
  process.exitCode = 1;
}

/** The newest pull request of a branch of this repository. */
async function newestOf(branch) {
  const [owner] = GITHUB_REPOSITORY.split('/');
  const query = `state=all&head=${owner}:${branch}&sort=created&direction=desc&per_page=1`;
  return (await (await ask(`pulls?${query}`)).json())[0];
}

async function propose(branch, commit) {
  const newest = await newestOf(branch);
  const isOpen = newest?.state === 'open';
  if (newest?.head.sha === commit && !isOpen)
    return console.log(`Pull request ${newest.number} says the same and was closed: the next apply sets it back.`);
  const body = `${await readFile('drift.md', 'utf8')}\nMerge this, and the manifests say it. Close it, and the next apply sets it back.\n`;
  const title = `What people changed (${branch})`;
  const answer = isOpen
    ? await ask(`pulls/${newest.number}`, 'PATCH', { body })
    : await ask('pulls', 'POST', { title, head: branch, base: GITHUB_REF_NAME, body });
  const { number, html_url: url } = await answer.json();
  console.log(`Pull request ${number}: ${url}`);
  const { artifacts } = await (await ask(`actions/artifacts?name=plan-${commit}`)).json();
  // What this token opens starts no workflow.
  if (artifacts.length === 0)
    await ask('actions/workflows/dexsync.yml/dispatches', 'POST', {
      ref: GITHUB_REF_NAME,
      inputs: { pull_request: String(number) },
    });
}

async function settle(branch) {
  const newest = await newestOf(branch);
  if (newest?.state === 'open') await ask(`pulls/${newest.number}`, 'PATCH', { state: 'closed' });
}

const [task, ...words] = process.argv.slice(2);
await { comment, reviewed, propose, settle }[task](...words);
