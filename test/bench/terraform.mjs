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
const mostRuns = (command, count) => (command === 'validate' ? 15 : command === 'plan' || count > 1000 ? 1 : 3);

/** The largest share of its time that an apply of that many groups should take. @type {Readonly<Record<number, number>>} */
const AIMS = { 100: 1, 1000: 1 / 20, 5000: 1 / 60 };

/** A block for each object is what our manifests are; `count` makes them all of one, which Terraform is fastest with. */
const FORMS = [
  { name: 'blocks', words: 'each in a resource block of its own' },
  { name: 'count', words: 'in one resource block with `count`' },
];

/** The version of terraform on the PATH; undefined where there is none. */
export function terraformVersion() {
  const { status, stdout } = spawnSync('terraform', ['version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n', 1)[0] : undefined;
}

/**
 * The same count of resources that terraform keeps by itself, in both forms. They need no provider to be downloaded and
 * no network.
 *
 * @param {string | undefined} version
 * @param {string} parent
 * @param {{ count: number, command: keyof typeof ARGUMENTS }} work
 * @returns {Promise<import('./compare.mjs').Floor[]>}
 */
export async function terraformFloor(version, parent, work) {
  if (version === undefined) return [];
  const floors = [];
  for (const form of work.count === 1 ? FORMS.slice(0, 1) : FORMS)
    floors.push(await floorOf(version, join(parent, `terraform-${form.name}`), form, work));
  return floors;
}

/**
 * @param {string} version
 * @param {string} folder
 * @param {typeof FORMS[number]} form
 * @param {{ count: number, command: keyof typeof ARGUMENTS }} work
 * @returns {Promise<import('./compare.mjs').Floor>}
 */
async function floorOf(version, folder, { name, words }, { count, command }) {
  await mkdir(folder);
  await writeFile(join(folder, 'main.tf'), name === 'count' ? counted(count) : blocks(count));
  const variables = { CHECKPOINT_DISABLE: '1' };
  const terraform = (args, expected) =>
    timed(['terraform', ...args, '-no-color'], { cwd: folder, variables, expected });
  await terraform(['init', '-input=false'], '');
  if (command === 'plan') await writeFile(join(folder, 'terraform.tfstate'), JSON.stringify(applied(count, name)));
  const run = async () => {
    if (command === 'apply') await rm(join(folder, 'terraform.tfstate'), { force: true });
    return (await terraform(ARGUMENTS[command], EXPECTED[command](count))).milliseconds;
  };
  const note = `${version} with ${count} of its built-in terraform_data, ${words}. It has no network to wait for; dexsync talks HTTP with another process.`;
  const aim = command === 'apply' ? AIMS[count] : undefined;
  return { against: `Terraform, ${name}`, note, run, aim, most: mostRuns(command, count) };
}

/** @param {number} count */
const blocks = (count) =>
  Array.from(
    { length: count },
    (_, index) => `resource "terraform_data" "group-${index}" {\n  input = "Group ${index}"\n}\n`,
  ).join('');

/** @param {number} count */
const counted = (count) => `resource "terraform_data" "group" {
  count = ${count}
  input = "Group \${count.index}"
}
`;

/**
 * The state that an apply leaves; making ten thousand by an apply took more than ten minutes.
 *
 * @param {number} count
 * @param {string} form
 */
function applied(count, form) {
  const instances = Array.from({ length: count }, (_, index) => {
    const value = { value: `Group ${index}`, type: 'string' };
    const attributes = { id: `group-${index}`, input: value, output: value, triggers_replace: null };
    return { ...(form === 'count' ? { index_key: index } : {}), schema_version: 0, attributes };
  });
  const provider = 'provider["terraform.io/builtin/terraform"]';
  const group = { mode: 'managed', type: 'terraform_data', name: 'group', provider };
  const resources =
    form === 'count'
      ? [{ ...group, instances }]
      : instances.map((instance, index) => ({ ...group, name: `group-${index}`, instances: [instance] }));
  return { version: 4, serial: 1, lineage: 'bench', resources };
}
