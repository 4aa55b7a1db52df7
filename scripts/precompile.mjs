// Compiles the validators of our own schemas, so that no command has to. Reads what the compiler made of the sources.
import standalone from 'ajv/dist/standalone/index.js';
import { CHECKED_SCHEMAS, compilerFor } from '../dist/checked-schemas.js';

const PREFIX = 'precompiled:';

const codes = new Map(CHECKED_SCHEMAS.map((one) => [PREFIX + one.key, codeOf(one)]));

function codeOf({ purpose, schema }) {
  const compiler = compilerFor(purpose, { code: { source: true, lines: false } });
  return standalone.default(compiler, compiler.compile(schema));
}

/** A validator is a module of its own, which runs when it is used first: a command uses few. */
const table = [...codes.keys()].map((id) => `get '${id.slice(PREFIX.length)}'() { return require('${id}'); },`);

/** For the bundle: fills `precompiled.ts`. */
export const precompiled = {
  name: 'precompiled',
  resolveId: (id) => (codes.has(id) ? id : undefined),
  load: (id) =>
    id.endsWith('/dist/precompiled.js') ? `exports.precompiled = {\n${table.join('\n')}\n};\n` : codes.get(id),
};
