import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { openCommand } from '../harness/terminal.js';
import { CLI, environment, type TestProject, testProject } from '../harness/test-project.js';

const SHELLS = {
  bash: { command: 'bash --norc --noprofile -i', load: 'source <(dexsync completion bash)' },
  zsh: { command: 'zsh -f -i', load: 'autoload -Uz compinit && compinit -u -D; source <(dexsync completion zsh)' },
  fish: { command: 'fish --no-config -i', load: 'dexsync completion fish | source' },
} as const;

const isMissing = (shell: string): boolean =>
  process.env.DEXSYNC_SHELLS_NEEDED !== 'yes' && spawnSync(shell, ['-c', 'exit 0']).status !== 0;

const HOSTILE = 'Ann\'s $(touch hacked) `touch hacked` "Team"; touch hacked & more\\';

/** What is typed, with TABs, and what the program gets once the shell has read it. */
const LINES: readonly (readonly [keys: string, args: readonly string[]])[] = [
  ['dexsync pla\t--env prod\t', ['plan', '--env', 'production']],
  ['dexsync --config=oth\tsync\t --env=st\tplan', ['--config=other/sync.config.yaml', '--env=staging', 'plan']],
  ['dexsync describe ImportD\tE\t', ['describe', 'ImportDefinition/ERP items']],
  ['dexsync describe "ImportDefinition/E\t', ['describe', 'ImportDefinition/ERP items']],
  ['dexsync adopt group/A\t', ['adopt', `group/${HOSTILE}`]],
  ["dexsync forget 'UserGroup/Qu\t", ['forget', 'UserGroup/Quality']],
  ['dexsync apply plans/pl\t', ['apply', 'plans/plan one.json']],
];

const CONFIG = `stack: test
manifests: [manifests]
defaultEnvironment: local
environments:
  local: { workspace: embedded }
  production: { url: https://plm.example.com/v1 }
`;

/** A project with a program in the path that completes as dexsync does, and writes down all other command lines. */
async function projectToComplete(): Promise<TestProject> {
  const project = await testProject({
    'sync.config.yaml': CONFIG,
    'other/sync.config.yaml': CONFIG.replace('production', 'staging'),
    'manifests/all.yaml':
      manifest('UserGroup', 'Quality', {}) +
      manifest('UserGroup', HOSTILE, {}) +
      manifest('ImportDefinition', 'ERP items', { resource: 'ITEM_SPECS', mode: 'OVERWRITE' }),
    'plans/plan one.json': '{}',
  });
  await project.write(
    'bin/dexsync',
    `#!/bin/sh
case $1 in complete|completion) exec '${process.execPath}' '${CLI}' "$@" ;; esac
{ printf '%s\\n' "$@"; echo ----; } >> '${project.folder}/got'
`,
  );
  spawnSync('chmod', ['+x', `${project.folder}/bin/dexsync`]);
  return project;
}

describe.each(sample(Object.entries(SHELLS), 1))('%s', (shell, { command, load }) => {
  test.skipIf(isMissing(shell))(
    'completes a line so that the program gets the meant words, and evaluates nothing',
    async () => {
      const project = await projectToComplete();
      const { PATH, ...variables } = environment({ LANG: 'C.UTF-8', HOME: project.folder });
      const path = { PATH: `${project.folder}/bin:${PATH}` };
      const terminal = openCommand(
        { folder: project.folder, command, variables: { ...variables, ...path }, columns: 140 },
        shell,
      );
      for (const line of [load, ...LINES.map(([keys]) => keys), 'exit']) terminal.type(`${line}\r`);
      await terminal.ended;
      const got = await project.read('got').catch(() => '');
      expect(got.split('----\n').slice(0, -1)).toEqual(LINES.map(([, args]) => `${args.join('\n')}\n`));
      const { stdout } = spawnSync('find', ['.', '-name', 'hacked', '-o', '-name', '.dexsync'], {
        cwd: project.folder,
      });
      expect(String(stdout)).toBe('');
    },
  );
});
