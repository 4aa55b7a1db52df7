import { execFile, execFileSync } from 'node:child_process';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const run = promisify(execFile);

/** `kustomize build`, or the same of kubectl; undefined where neither is there. */
const KUSTOMIZE = [
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
].find(([program = '', command = '']) => {
  try {
    execFileSync(program, [command, '--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

if (KUSTOMIZE === undefined)
  console.warn('Neither kustomize nor kubectl is installed: manifests are not passed through it.');

const build = async (folder: string): Promise<string> => {
  const [program = '', command = ''] = KUSTOMIZE ?? [];
  return (await run(program, [command, folder])).stdout;
};

const kustomization = (content: object): string =>
  stringify({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...content });

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Documents in an order of their own; what passes them on may sort them. */
const documentsIn = (text: string): Named[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Named | null)
    .filter((document) => document !== null)
    .sort((a, b) => (`${a.kind}/${a.metadata.name}` < `${b.kind}/${b.metadata.name}` ? -1 : 1));

describe.skipIf(KUSTOMIZE === undefined)('through kustomize', () => {
  test.each(['examples/kinds', 'examples/quickstart', 'examples/environments/manifests'])(
    'the manifests of %s pass unchanged',
    async (folder) => {
      const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml'));
      const project = await testProject({ 'kustomization.yaml': kustomization({ resources: files }) });
      for (const file of files) await cp(join(folder, file), join(project.folder, file));
      const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
      expect(documentsIn(await build(project.folder))).toEqual(documentsIn(texts.join('\n---\n')));
    },
  );

  test('all of metadata passes, and so does `null`', async () => {
    const metadata = {
      ...{ protect: true, renamedFrom: 'Old: name', ignore: ['description'] },
      ...{ labels: { team: 'a' }, annotations: { note: 'b' } },
    };
    const text = manifest('UserGroup', 'A "b" \\ c/d ü', { description: null, assignability: [] }, metadata);
    const project = await testProject({
      'kustomization.yaml': kustomization({ resources: ['a.yaml'] }),
      'a.yaml': text,
    });
    expect(documentsIn(await build(project.folder))).toEqual(documentsIn(text));
  });

  test('patched manifests are planned from standard input', async () => {
    const workspace = await testWorkspace();
    const patch = manifest('UserGroup', 'Change control', { description: 'Signs every change' });
    const project = await testProject({
      'base/kustomization.yaml': kustomization({ resources: ['groups.yaml'] }),
      'base/groups.yaml': await readFile('examples/environments/manifests/groups.yaml', 'utf8'),
      'prod/kustomization.yaml': kustomization({ resources: ['../base'], patches: [{ path: 'patch.yaml' }] }),
      'prod/patch.yaml': patch.replace('---\n', ''),
    });
    const built = await build(join(project.folder, 'prod'));
    const { code, out } = await project.run(['plan', '-f', '-', '--json'], workspace.variables, built);
    expect(code).toBe(0);
    const { steps } = JSON.parse(out);
    expect(
      steps.map(({ address, writes }: { address: string; writes: { spec: object }[] }) => [address, writes[0]?.spec]),
    ).toEqual([
      [
        'UserGroup/Change control',
        expect.objectContaining({ description: 'Signs every change', assignability: ['CHANGES'] }),
      ],
      ['UserGroup/Sandbox', expect.objectContaining({ description: 'For experiments' })],
    ]);
  });
});
