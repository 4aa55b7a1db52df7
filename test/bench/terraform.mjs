import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { timed } from './processes.mjs';

const ARGUMENTS = {
  validate: ['validate'],
  plan: ['plan', '-input=false'],
  apply: ['apply', '-input=false', '-auto-approve', '-parallelism=8'],
};

/** What terraform says when it did just that. */
const EXPECTED = {
  validate: () => 'The configuration is valid.',
  plan: () => 'No changes.',
  apply: (count) => `Resources: ${count} added, 0 changed, 0 destroyed.`,
};

/** With thousands of resources one run of terraform takes as long as all other measurements. */
const MOST_RUNS = { validate: 15, plan: 1, apply: 3 };

/** The version of terraform on the PATH; undefined where there is none. */
export function terraformVersion() {
  const { status, stdout } = spawnSync('terraform', ['version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n', 1)[0] : undefined;
}

/**
 * The same count of resources that terraform keeps by itself. They need no provider to be downloaded and no network.
 *
 * @param {string | undefined} version
 * @param {string} parent
 * @param {{ count: number, command: keyof typeof ARGUMENTS }} work
 * @returns {Promise<import('./compare.mjs').Floor[]>}
 */
export async function terraformFloor(version, parent, { count, command }) {
  if (version === undefined) return [];
  const folder = join(parent, 'terraform');
  await mkdir(folder);
  await writeFile(join(folder, 'main.tf'), resources(count));
  const variables = { CHECKPOINT_DISABLE: '1' };
  const terraform = (args, expected) =>
    timed(['terraform', ...args, '-no-color'], { cwd: folder, variables, expected });
  await terraform(['init', '-input=false'], '');
  if (command === 'plan') await writeFile(join(folder, 'terraform.tfstate'), JSON.stringify(applied(count)));
  const run = async () => {
    if (command === 'apply') await rm(join(folder, 'terraform.tfstate'), { force: true });
    return (await terraform(ARGUMENTS[command], EXPECTED[command](count))).milliseconds;
  };
  const note = `${version} with ${count} of its built-in terraform_data in one resource block. It has no network to wait for; dexsync talks HTTP with another process.`;
  return [{ against: 'terraform_data', note, run, most: MOST_RUNS[command] }];
}

/** @param {number} count */
const resources = (count) => `resource "terraform_data" "group" {
  count = ${count}
  input = "Group \${count.index}"
}
`;

/**
 * The state that an apply leaves; making ten thousand by an apply took more than ten minutes.
 *
 * @param {number} count
 */
function applied(count) {
  const instances = Array.from({ length: count }, (_, index) => {
    const value = { value: `Group ${index}`, type: 'string' };
    const attributes = { id: `group-${index}`, input: value, output: value, triggers_replace: null };
    return { index_key: index, schema_version: 0, attributes };
  });
  const provider = 'provider["terraform.io/builtin/terraform"]';
  const group = { mode: 'managed', type: 'terraform_data', name: 'group', provider, instances };
  return { version: 4, serial: 1, lineage: 'bench', resources: [group] };
}
