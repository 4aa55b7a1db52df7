import { join } from 'node:path';
import { dexsync, floor, root, timed } from './processes.mjs';
import { project } from './project.mjs';
import { terraformFloor } from './terraform.mjs';

const MANIFEST = `apiVersion: dexsync/v1
kind: ImportDefinition
metadata:
  name: ERP item specs
spec:
  resource: ITEM_SPECS
  mode: OVERWRITE
  options:
    matchDuplicates: ERROR
    mapping:
      - { resource: ITEM_SPECS, apiName: number, sourceName: Part Number }
      - { resource: ITEM_SPECS, apiName: name, sourceName: Name }
      - { resource: ITEM_SPECS, attribute: RoHS Status, sourceName: RoHS }
`;

const NOTE =
  'a script that imports yaml and ajv, parses the same file, compiles what schema/manifest.json has of its kind, and validates. It reads no configuration and follows no reference.';

/** @type {import('./compare.mjs').Measurement} */
export const validate = {
  name: 'validate',
  title: 'validate of one manifest',
  runs: 15,
  gate: 2,
  async prepare(folder, { terraform }) {
    await project(folder, { 'definition.yaml': MANIFEST });
    const paths = { manifest: join(folder, 'manifests/definition.yaml'), schema: join(root, 'schema/manifest.json') };
    const run = (command, expected) => async () => (await timed(command, { cwd: folder, expected })).milliseconds;
    return {
      subject: run(dexsync('validate'), 'Valid: 1 manifest'),
      floors: [
        { against: 'bare yaml and ajv', note: NOTE, run: run(floor('validate', paths), 'valid') },
        ...(await terraformFloor(terraform, folder, { count: 1, command: 'validate' })),
      ],
      close: async () => undefined,
    };
  },
};
