import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

/** The published schema with the part of one kind alone, which is what a manifest of it is checked by. */
function kindIn({ allOf, definitions, ...schema }, kind) {
  return {
    ...schema,
    allOf: allOf.filter((part) => part.if.properties.kind.const === kind),
    definitions: { [kind]: definitions[kind] },
  };
}

const { manifest, schema } = JSON.parse(process.argv[2]);
const read = parse(readFileSync(manifest, 'utf8'));
const own = kindIn(JSON.parse(readFileSync(schema, 'utf8')), read.kind);
const valid = new Ajv({ allowUnionTypes: true, strictRequired: false }).compile(own);
if (!valid(read)) throw new Error(JSON.stringify(valid.errors));
process.stdout.write('valid\n');
