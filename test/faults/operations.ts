import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from '../harness/test-project.js';

type Run = (...args: readonly string[]) => Promise<unknown>;

/** A command that writes: where it starts, and where it must end no matter what happened on the way. */
export interface Operation {
  readonly name: string;
  /** Puts manifests and files into the project, and brings project and workspace to where the command starts. */
  prepare(project: TestProject, run: Run): Promise<void>;
  readonly command: readonly string[];
  /** How it ends, 0 unless said. */
  readonly code?: number;
  /** What a person types after a fault, with how it may end; the command itself unless said. */
  readonly after?: readonly { readonly args: readonly string[]; readonly codes: readonly number[] }[];
  /** Manifests that describe the objects that the command removed plan to recreate them. */
  readonly leaves?: 'differences';
  /** Files that must be there at the end. */
  readonly files?: readonly string[];
}

const QUICKSTART = 'examples/quickstart';

async function writeQuickstart(project: TestProject): Promise<void> {
  const files = readdirSync(QUICKSTART, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /\.(yaml|csv)$/.test(name))) {
    await project.write(`manifests/${file}`, readFileSync(join(QUICKSTART, file)));
  }
}

async function rewrite(project: TestProject, file: string, change: (text: string) => string): Promise<void> {
  const before = await project.read(`manifests/${file}`);
  const after = change(before);
  if (after === before) throw new Error(`Nothing was changed in ${file}.`);
  await project.write(`manifests/${file}`, after);
}

/** One of each kind of change: a field, a member, a name, and a definition that has to be replaced. */
async function changeQuickstart(project: TestProject): Promise<void> {
  await rewrite(project, 'groups.yaml', (text) =>
    text
      .replace('Approves changes to released items', 'Approves')
      .replace('    - ben@example.com\n', '    - cleo@example.com\n')
      .replace('name: Trainees', 'name: Learners\n  renamedFrom: Trainees'),
  );
  await rewrite(project, 'definitions.yaml', (text) => text.replace('sourceName: Quantity', 'sourceName: Pieces'));
  await rewrite(project, 'data/bom.csv', (text) => text.replace('Quantity', 'Pieces'));
}

const supplier = (spec: object): string =>
  JSON.stringify({ apiVersion: 'dexsync/v1', kind: 'Supplier', metadata: { name: 'Acme' }, spec });

const APPLY = ['apply', '--yes', '--manual', 'warn'];
const ALLOWED = ['--allow', 'deletes', '--allow', 'replacements'];

const applied: Operation['prepare'] = async (project, run) => {
  await writeQuickstart(project);
  await run(...APPLY);
};

const FAULTY = 'Part Number,Name,Category,RoHS\nF-1,One,Item\\Mechanical,\nF-2,,Item\\Mechanical,\n';

export const OPERATIONS: readonly Operation[] = [
  { name: 'a first apply', prepare: writeQuickstart, command: APPLY },
  {
    name: 'an apply of changes',
    prepare: async (project, run) => {
      await applied(project, run);
      await changeQuickstart(project);
    },
    command: [...APPLY, ...ALLOWED],
  },
  {
    name: 'an apply of entries of lists',
    prepare: async (project, run) => {
      const addresses = [
        { label: 'HQ', city: 'Leeds', primary: true },
        { label: 'Dock', primary: false },
      ];
      await project.write('manifests/acme.yaml', supplier({ addresses, phoneNumbers: [{ number: '1' }] }));
      await run(...APPLY);
      const changed = [{ label: 'HQ', city: 'York', primary: true }];
      await project.write(
        'manifests/acme.yaml',
        supplier({ addresses: changed, phoneNumbers: [{ number: '1', label: 'Sales' }, { number: '2' }] }),
      );
    },
    command: APPLY,
  },
  {
    name: 'an apply that prunes',
    prepare: async (project, run) => {
      await applied(project, run);
      for (const file of ['groups.yaml', 'policies.yaml', 'events.yaml']) await project.write(`manifests/${file}`, '');
      await rewrite(project, 'definitions.yaml', (text) => text.split('---')[0] ?? '');
      await rewrite(project, 'imports.yaml', (text) => text.split('---')[0] ?? '');
    },
    command: [...APPLY, '--prune', ...ALLOWED],
  },
  {
    name: 'destroy',
    prepare: applied,
    command: ['destroy', '--yes', '--confirm', 'Embedded Workspace'],
    // Export definitions are left to a person.
    code: 4,
    leaves: 'differences',
  },
  {
    name: 'a saved plan',
    prepare: async (project, run) => {
      await writeQuickstart(project);
      await run('plan', '--out', 'plan.json', '--manual', 'warn');
    },
    command: ['apply', 'plan.json', '--yes', '--manual', 'warn'],
    after: [
      // It was begun, so it is refused, and the manifests are applied as they are.
      { args: ['apply', 'plan.json', '--yes', '--manual', 'warn'], codes: [0, 5] },
      { args: APPLY, codes: [0] },
    ],
  },
  {
    name: 'an import',
    prepare: async (project, run) => {
      await applied(project, run);
      await project.write('more.csv', FAULTY.replace('F-2,,', 'F-2,Two,'));
    },
    command: ['import', 'more.csv', '--definition', 'Parts'],
  },
  {
    name: 'a retry',
    prepare: async (project, run) => {
      await applied(project, run);
      await project.write('faulty.csv', FAULTY);
      await run('import', 'faulty.csv', '--definition', 'Parts', '--commit', 'always');
      await project.write('corrected.csv', FAULTY.replace('F-2,,', 'F-2,Two,').replace(/^F-1.*\n/m, ''));
    },
    command: ['import', 'retry', 'faulty.csv', 'corrected.csv'],
  },
  {
    name: 'an export',
    prepare: applied,
    command: ['exports', 'run', 'Lamps', '--out', 'out'],
    files: ['out/SPECS.csv', 'out/BOM.csv'],
  },
];
