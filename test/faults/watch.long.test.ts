import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT } from '#base/errors.js';
import type { RoundEnd } from '#core/stream/watch-event.js';
import { arena } from '#service/profiles/arena.js';
import { reference } from '#service/profiles/reference.js';
import { sample } from '../harness/sample.js';
import { type Fault, noteRequests, strikeAt } from '../harness/striking.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';
import { watchingProcess } from '../harness/watching.js';
import { contentsOf } from './contents.js';

const WATCH = ['--policy', 'all', '--interval', '1s'];

const FAULTS: readonly Fault[] = [
  'killed before',
  'killed after',
  'cut before',
  'cut after',
  'answered 500 after',
  'answered 401 after',
  'met by another user before',
];

/** Files of the quickstart of which nothing is left to a person. */
const FILES = ['groups.yaml', 'definitions.yaml', 'imports.yaml', 'data/parts.csv', 'data/bom.csv'];

/** Everything is there as it must be, or what is left no watch can do. */
const isSettled = ({ result }: RoundEnd): boolean => result === 'unchanged' || result === 'blocked';

async function stage(dialect: string) {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject();
  for (const file of FILES) await project.write(`manifests/${file}`, readFileSync(`examples/quickstart/${file}`));
  return { workspace, project, variables: workspace.variables };
}

/** A watch without a fault, from nothing to where a round finds nothing to do. */
async function undisturbed(dialect: typeof reference) {
  const { workspace, project, variables } = await stage(dialect.name);
  const seen = await noteRequests(workspace);
  const watch = watchingProcess(project, WATCH, variables);
  await watch.round(isSettled);
  await watch.stop();
  return { requests: [...new Set(await seen())], contents: await contentsOf(workspace, dialect) };
}

const runs = await Promise.all(
  [reference, arena].map(async (profile) => {
    const { requests, contents } = await undisturbed(profile);
    // How often a run is asked for depends on the time that it takes.
    const cases = requests.flatMap((request) =>
      request.startsWith('GET ')
        ? request.endsWith(' #1')
          ? [{ request, fault: 'cut before' as const }]
          : []
        : FAULTS.map((fault) => ({ request, fault })),
    );
    return { profile, name: profile.name, contents, cases: sample(cases, 1) };
  }),
);

describe.each(runs)('a watch in the dialect $name', ({ profile, contents, cases }) => {
  test.each(cases)(
    'continues and reaches the same end: $request $fault the service applied it',
    async ({ request, fault }) => {
      const { workspace, project, variables } = await stage(profile.name);
      let kill: () => Promise<unknown> = async () => undefined;
      const others: (number | null)[] = [];
      const act = async (): Promise<void> => {
        if (fault.startsWith('killed')) await kill();
        else if (fault.startsWith('met')) {
          const another = { ...variables, DEXSYNC_REMOTE_EMAIL: 'cleo@example.com' };
          others.push((await project.run(['apply', '--yes'], another)).code);
        }
      };
      const hasStruck = await strikeAt(workspace, { request, fault, act });
      const first = watchingProcess(project, WATCH, variables);
      const killed = new Promise<void>((done) => {
        kill = () => first.stop('SIGKILL').finally(done);
      });
      if (fault.startsWith('killed')) await killed;
      const watch = fault.startsWith('killed') ? watchingProcess(project, WATCH, variables) : first;
      await watch.round((end) => hasStruck() && isSettled(end));
      expect((await watch.stop()).code).toBe(0);
      // While a round only reads, nobody is kept away.
      const allowed = request.startsWith('POST /login') ? [EXIT.locked, EXIT.done] : [EXIT.locked];
      expect(others.filter((code) => code === null || !allowed.some((one) => one === code))).toEqual([]);
      expect(others).toHaveLength(fault.startsWith('met') ? 1 : 0);

      expect(await contentsOf(workspace, profile)).toEqual(contents);
    },
  );
});
