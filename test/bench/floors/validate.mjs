import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

const { manifest, schema } = JSON.parse(process.argv[2]);
const valid = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(readFileSync(schema, 'utf8')));
if (!valid(parse(readFileSync(manifest, 'utf8')))) throw new Error(JSON.stringify(valid.errors));
process.stdout.write('valid\n');
