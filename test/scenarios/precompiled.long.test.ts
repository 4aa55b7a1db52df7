import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { finished, testProject } from '../harness/test-project.js';

/** Loaded before the program and its embedded workspace; without ajv, none of them can compile a schema. */
const WITHOUT_COMPILER = `
const Module = require('node:module');
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  if (/^ajv\\b/.test(name)) throw new Error('The compiler of schemas was loaded.');
  return resolve.call(this, name, ...rest);
};
`;

test('program and embedded workspace compile no schema, neither for manifests nor plans, journals, reviews or requests', async () => {
  const project = await testProject({
    'manifests/groups.yaml': manifest('UserGroup', 'Quality', { description: 'Reviews' }),
    'preload.cjs': WITHOUT_COMPILER,
  });
  const NODE_OPTIONS = `--require ${project.folder}/preload.cjs`;
  const run = (...args: string[]) => finished(project.start(args, { NODE_OPTIONS }));
  for (const args of [
    ['validate'],
    ['plan', '--out', 'plan.json'],
    ['apply', 'plan.json', '--yes'],
    ['history'],
    ['plan', '--out', 'ledger:next'],
    ['plan', 'review', 'ledger:next', '--approve'],
    ['show', 'ledger:next'],
  ]) {
    const { code, err } = await run(...args);
    // Nobody else is there who could approve it.
    const said = args[1] === 'review' ? expect.stringContaining('own-approval') : '';
    expect({ args, code, err }).toEqual({ args, code: 0, err: said });
  }
  // The guard works: only a kind of a project's own needs the compiler.
  await project.write('supplier.mjs', readFileSync('examples/own-kind/kinds/supplier.mjs'));
  await project.write(
    'sync.config.yaml',
    (await project.read('sync.config.yaml')).replace('stack: test', 'stack: test\nkinds: [./supplier.mjs]'),
  );
  await project.write('manifests/supplier.yaml', readFileSync('examples/own-kind/manifests/suppliers.yaml'));
  const own = await run('validate', '--trust');
  expect(`${own.out}${own.err}`).toContain('The compiler of schemas was loaded.');
});
