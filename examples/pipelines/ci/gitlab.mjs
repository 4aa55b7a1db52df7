// What the jobs ask of GitLab. `comment FILE`: keeps one comment on the merge request up to date.
// `save COMMIT`: keeps plan.json in the package registry. `reviewed`: writes the plan.json that was
// reviewed, and those of the changes that were merged last.
// `propose BRANCH COMMIT`: keeps one merge request of a branch up to date, with drift.md as its text; what was closed stays closed.
// `settle BRANCH`: closes it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const { CI_API_V4_URL, CI_COMMIT_SHA, CI_DEFAULT_BRANCH, CI_JOB_TOKEN, CI_MERGE_REQUEST_IID } = process.env;
const { CI_PROJECT_ID, FORGE_TOKEN } = process.env;
const NUMBER = process.env.MERGE_REQUEST || CI_MERGE_REQUEST_IID;
const PROJECT = `projects/${CI_PROJECT_ID}`;
const NOTES = `${PROJECT}/merge_requests/${NUMBER}/notes`;
const AS_JOB = { 'job-token': CI_JOB_TOKEN };

async function send(path, { method = 'GET', headers = { 'private-token': FORGE_TOKEN }, body } = {}) {
  const answer = await fetch(`${CI_API_V4_URL}/${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  if (answer.ok || answer.status === 404) return answer;
  throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
}

async function ask(path, method, fields) {
  const form = fields === undefined ? {} : { body: new URLSearchParams(fields) };
  const answer = await send(path, { ...(method === undefined ? {} : { method }), ...form });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function* notes() {
  for (let page = 1, found = []; page === 1 || found.length === 100; page += 1) {
    found = await ask(`${NOTES}?per_page=100&page=${page}`);
    yield* found;
  }
}

async function comment(file) {
  if (!NUMBER) return;
  const body = await readFile(file, 'utf8').catch(() => undefined);
  if (body === undefined) return;
  const { id: me } = await ask('user');
  // The first line says which plan it is. Others may quote it: only what this token wrote is replaced.
  const [marker] = body.split('\n');
  for await (const one of notes()) {
    if (one.author.id === me && one.body.startsWith(marker)) return ask(`${NOTES}/${one.id}`, 'PUT', { body });
  }
  await ask(NOTES, 'POST', { body });
}

const fileOf = (commit) => `${PROJECT}/packages/generic/dexsync-plan/${commit}/plan.json`;

async function save(commit) {
  const answer = await send(fileOf(commit), { method: 'PUT', headers: AS_JOB, body: await readFile('plan.json') });
  if (!answer.ok) throw new Error('The package registry of the project is switched off; plans are kept there.');
}

/** Writes the newest plan of a commit, and tells whether there is one. */
async function take(commit, file) {
  const answer = await send(fileOf(commit), { headers: AS_JOB });
  if (answer.ok) await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  return answer.ok;
}

/** This job may run before those of changes that were merged before: their plans are applied first where that is due. */
async function others(own) {
  const newest = await ask(`${PROJECT}/merge_requests?state=merged&order_by=updated_at&sort=desc&per_page=10`);
  const merged = newest.filter(({ sha }) => !own.includes(sha)).sort((a, b) => (a.merged_at < b.merged_at ? -1 : 1));
  for (const [index, { sha }] of merged.entries()) await take(sha, `.dexsync/plans/${10 + index}.json`);
}

/** A merge and a squash have a commit of their own; GitLab knows which merge request it came from. */
async function reviewed() {
  const merged = await ask(`${PROJECT}/repository/commits/${CI_COMMIT_SHA}/merge_requests?state=merged`);
  const own = merged.map(({ sha }) => sha);
  await mkdir('.dexsync/plans', { recursive: true });
  for (const commit of [CI_COMMIT_SHA, ...own]) {
    if (!(await take(commit, 'plan.json'))) continue;
    await others(own);
    return console.log(`Reviewed plan of ${commit}`);
  }
  console.error(
    `No plan was made for ${CI_COMMIT_SHA}. Run a pipeline of this branch by hand, read its plan, then run this job again.`,
  );
  process.exitCode = 1;
}

const REQUESTS = `${PROJECT}/merge_requests`;

/** The newest merge request of a branch of this project. */
async function newestOf(branch) {
  const found = await ask(`${REQUESTS}?source_branch=${branch}&order_by=created_at&sort=desc&per_page=100`);
  return found.find(({ source_project_id: from }) => from === Number(CI_PROJECT_ID));
}

async function propose(branch, commit) {
  const newest = await newestOf(branch);
  const isOpen = newest?.state === 'opened';
  if (newest?.sha === commit && !isOpen)
    return console.log(`Merge request ${newest.iid} says the same and was closed: the next apply sets it back.`);
  const text = await readFile('drift.md', 'utf8');
  const description = `${text}\nMerge this, and the manifests say it. Close it, and the next apply sets it back.\n`;
  const branches = { source_branch: branch, target_branch: CI_DEFAULT_BRANCH, remove_source_branch: true };
  const { iid, web_url: url } = isOpen
    ? await ask(`${REQUESTS}/${newest.iid}`, 'PUT', { description })
    : await ask(REQUESTS, 'POST', { ...branches, title: `What people changed (${branch})`, description });
  console.log(`Merge request ${iid}: ${url}`);
}

async function settle(branch) {
  const newest = await newestOf(branch);
  if (newest?.state === 'opened') await ask(`${REQUESTS}/${newest.iid}`, 'PUT', { state_event: 'close' });
}

const [task, ...words] = process.argv.slice(2);
await { comment, save, reviewed, propose, settle }[task](...words);
