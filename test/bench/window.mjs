/**
 * How long a manual edit can be overwritten: from the service's last answer about an object to the arrival of the PUT that
 * changes it, as the service sees it. Run it with `node test/bench/window.mjs`, after a build.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dexsync, startWorkspace, timed } from './processes.mjs';
import { project } from './project.mjs';

const GROUPS = 100;
const LIST = '/settings/usergroups';

/** Fields of a group, by whether an update reads the object once more for those that its manifest does not name. */
const SPECS = {
  'read once more for its update': (text) => ({ description: text }),
  'named in every field': (text) => ({ description: text, enabled: true, assignability: ['CHANGES'] }),
};

const manifests = (specOf, text) => ({
  'groups.yaml': Array.from({ length: GROUPS }, (_, index) =>
    JSON.stringify({
      apiVersion: 'dexsync/v1',
      kind: 'UserGroup',
      metadata: { name: `Group ${index}` },
      spec: specOf(text),
    }),
  ).join('\n---\n'),
});

/** Passes everything on, and notes for each PUT of a group when the service last showed it. */
function startWatch(target, windows) {
  const told = new Map();
  const server = createServer((asked, answer) => {
    const { method, url: path = '' } = asked;
    if (method === 'PUT') windows.push(performance.now() - (told.get(path) ?? told.get(LIST)));
    const { host: _, ...headers } = asked.headers;
    const passed = request(target + path, { method, headers }, (response) => {
      if (method === 'GET') told.set(path.split('?')[0], performance.now());
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    asked.pipe(passed);
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

for (const [title, specOf] of Object.entries(SPECS)) {
  const folder = await mkdtemp(join(tmpdir(), 'dexsync-window-'));
  const workspace = await startWorkspace();
  const windows = [];
  const watch = await startWatch(workspace.url, windows);
  const url = `http://127.0.0.1:${watch.address().port}`;
  const apply = () =>
    timed(dexsync('apply', '--yes'), {
      cwd: folder,
      variables: { ...workspace.variables, DEXSYNC_BENCH_URL: url },
      expected: `${GROUPS} done.`,
    });
  await project(folder, manifests(specOf, 'before'));
  await apply();
  await rm(join(folder, 'manifests'), { recursive: true });
  await rm(join(folder, 'sync.config.yaml'));
  await project(folder, manifests(specOf, 'after'));
  await apply();
  windows.sort((one, other) => one - other);
  const at = (share) => Math.round(windows[Math.min(windows.length - 1, Math.floor(windows.length * share))]);
  process.stdout.write(
    `${title}: ${windows.length} updates, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms\n`,
  );
  watch.closeAllConnections();
  watch.close();
  await workspace.stop();
  await rm(folder, { recursive: true });
}
