import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { timed } from './processes.mjs';

const ARGUMENTS = {
  validate: ['validate'],
  plan: ['plan', '-input=false'],
  apply: ['apply', '-input=false', '-auto-approve', '-parallelism=8'],
};

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
  const terraform = (...args) => timed(['terraform', ...args], { cwd: folder, variables: { CHECKPOINT_DISABLE: '1' } });
  await terraform('init', '-input=false');
  if (command === 'plan') await terraform(...ARGUMENTS.apply);
  const run = async () => {
    if (command === 'apply') await rm(join(folder, 'terraform.tfstate'), { force: true });
    return (await terraform(...ARGUMENTS[command])).milliseconds;
  };
  const note = `${version} with ${count} of its built-in terraform_data in one resource block. It has no network to wait for; dexsync talks HTTP with another process.`;
  return [{ against: 'terraform_data', note, run }];
}

/** @param {number} count */
const resources = (count) => `resource "terraform_data" "group" {
  count = ${count}
  input = {
    name          = "Group \${count.index}"
    description   = "Number \${count.index} of the groups of this workspace"
    enabled       = true
    assignability = ["CHANGES", "QUALITY"]
  }
}
`;
