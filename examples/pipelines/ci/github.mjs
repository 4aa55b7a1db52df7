// What the jobs ask of GitHub. `comment FILE`: keeps one comment on the pull request NUMBER up to date.
// `reviewed`: writes the plan.json that was reviewed for the commit of this run.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';

const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_TOKEN, NUMBER } = process.env;

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

/** A merge and a squash have a commit of their own; GitHub knows which pull request it came from. */
async function reviewed() {
  const pulls = await (await ask(`commits/${GITHUB_SHA}/pulls`)).json();
  const merged = pulls.filter(({ merged_at: at }) => at !== null);
  for (const commit of [GITHUB_SHA, ...merged.map(({ head }) => head.sha)]) {
    const { artifacts } = await (await ask(`actions/artifacts?name=plan-${commit}`)).json();
    // The newest one; but not of a run of a fork, which can save what it likes.
    const [own] = artifacts
      .filter(({ expired, workflow_run: run }) => !expired && run.head_repository_id === run.repository_id)
      .sort((a, b) => b.id - a.id);
    if (own === undefined) continue;
    const zip = await ask(`actions/artifacts/${own.id}/zip`);
    await writeFile('plan.zip', Buffer.from(await zip.arrayBuffer()));
    execFileSync('unzip', ['-o', '-q', 'plan.zip', 'plan.json']);
    return console.log(`Reviewed plan of ${commit}`);
  }
  console.error(
    `No plan was made for ${GITHUB_SHA}. Start this workflow by hand, read its plan, then run this job again.`,
  );
  process.exitCode = 1;
}

const [task, file] = process.argv.slice(2);
await (task === 'comment' ? comment(file) : reviewed());
