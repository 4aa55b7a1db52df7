import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const CONFIG = `stack: bench
manifests: [manifests]
environments:
  bench: { url: "http://127.0.0.1" }
`;

const MANIFESTS_A_FILE = 500;

/**
 * Makes a project with this many user groups.
 *
 * @param {string} folder
 * @param {number} count
 * @param {number} [perFile]
 */
export async function groupProject(folder, count, perFile) {
  await project(folder, groupFiles(groups(count), perFile));
}

/**
 * Writes the groups of a project again, every hundredth with another description.
 *
 * @param {string} folder
 * @param {number} count
 */
export async function changeGroups(folder, count) {
  const changed = groups(count).map((group, index) =>
    index % 100 === 0 ? { ...group, description: `${group.description}, changed` } : group,
  );
  await writeManifests(folder, groupFiles(changed));
}

/**
 * @param {ReturnType<typeof groups>} all
 * @param {number} [perFile]
 */
function groupFiles(all, perFile = MANIFESTS_A_FILE) {
  const manifests = all.map(groupManifest);
  const files = Array.from({ length: Math.ceil(all.length / perFile) }, (_, index) => [
    `groups-${String(index).padStart(5, '0')}.yaml`,
    manifests.slice(index * perFile, (index + 1) * perFile).join('---\n'),
  ]);
  return Object.fromEntries(files);
}

/**
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} manifests Text by the name of its file.
 */
export async function project(folder, manifests) {
  await mkdir(join(folder, 'manifests'));
  await writeFile(join(folder, 'sync.config.yaml'), CONFIG);
  await writeManifests(folder, manifests);
}

/**
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} manifests
 */
async function writeManifests(folder, manifests) {
  for (const [file, text] of Object.entries(manifests)) await writeFile(join(folder, 'manifests', file), text);
}

/**
 * The groups as the service takes them.
 *
 * @param {number} count
 */
export const groups = (count) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Group ${String(index + 1).padStart(5, '0')}`,
    description: `Number ${index + 1} of the groups of this workspace`,
    enabled: index % 2 === 0,
    assignability: ['CHANGES', 'QUALITY'],
  }));

/** @param {ReturnType<typeof groups>[number]} group */
const groupManifest = ({ name, description, enabled, assignability }) => `apiVersion: dexsync/v1
kind: UserGroup
metadata:
  name: ${name}
spec:
  description: ${description}
  enabled: ${enabled}
  assignability: [${assignability.join(', ')}]
`;
