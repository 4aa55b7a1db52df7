// Compiles the validators of our own schemas, so that no command and no workspace has to. Reads what the compiler made of
// the sources.
import ajv from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { CHECKED_SCHEMAS, compilerFor } from '../dist/app/checked-schemas.js';
import { collectSchemas, OPTIONS, schemaKey } from '../dist/emulator/checked-schemas.js';

/** A name for the modules of validators, which are no files before the build. */
const PREFIX = 'precompiled:';

const SOURCES = { code: { source: true, lines: false } };

const codeOf = (compiler, schema) => standalone.default(compiler, compiler.compile(schema));

/** What an error of a shape has beside its place and message: a third of the code, and nobody reads it. */
const UNREAD = /schemaPath:"(?:[^"\\]|\\.)*",keyword:"\w+",params:\{[^{}]*\},/g;

const shapeCodeOf = (compiler, schema) => codeOf(compiler, withoutTexts(schema)).replaceAll(UNREAD, '');

/**
 * A schema without what only messages need.
 * @param {object} schema
 */
const withoutTexts = (schema) =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );

/** The code of each validator by its key: of the program, and of the embedded workspace. */
const codes = {
  program: CHECKED_SCHEMAS.map(({ purpose, schema, key }) => [
    key,
    (purpose === 'shape' ? shapeCodeOf : codeOf)(compilerFor(purpose, SOURCES), schema),
  ]),
  workspace: (await collectSchemas()).map((schema) => [
    schemaKey(schema),
    codeOf(new ajv.Ajv({ ...OPTIONS, ...SOURCES }), JSON.parse(JSON.stringify(schema))),
  ]),
};

const all = new Map(Object.values(codes).flat());

const required = ([key]) => `get '${key}'() { return require('${PREFIX}${key}'); },`;

/** In characters, before they are made smaller. */
const LARGE = 8000;

const [large, small] = [true, false].map((isLarge) =>
  codes.program.filter(([, code]) => code.length > LARGE === isLarge),
);

/** Those of the workspace, and the small ones of the program, are together in one file each, and run when they are asked for. */
for (const [name, own] of Object.entries({ workspace: codes.workspace, small }))
  all.set(name, `module.exports = {\n${own.map(required).join('\n')}\n};`);

/** What to put into a folder of the bundle: a file for each large validator, since a command uses few of them. */
export const VALIDATORS = Object.fromEntries(
  [...large.map(([key]) => key), 'workspace', 'small'].map((key) => [key, PREFIX + key]),
);

const isSmall = (key) => small.some(([own]) => own === key);

/** For the bundle: the text of each validator. */
export const validatorTexts = {
  name: 'validator-texts',
  resolveId: (id) => (id.startsWith(PREFIX) ? id : undefined),
  load: (id) => all.get(id.slice(PREFIX.length)),
};

/** Where a validator is. The path is the same from `bundle/chunks` and from `bundle/emulator`. */
const PLACES = {
  core: { of: 'program', place: (key) => (isSmall(key) ? `small.cjs')['${key}']` : `${key}.cjs')`) },
  'emulator/routes': { of: 'workspace', place: (key) => `workspace.cjs')['${key}']` },
};

/** For the bundle: fills the two `precompiled.ts`. */
export const validatorTables = {
  name: 'validator-tables',
  load(id) {
    const [, folder] = /\/dist\/(core|emulator\/routes)\/precompiled\.js$/.exec(id) ?? [];
    if (folder === undefined) return undefined;
    const { of, place } = PLACES[folder];
    const entries = codes[of].map(
      ([key]) => `get '${key}'() { return require('../../bundle/validators/${place(key)}; },`,
    );
    return `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const precompiled = {\n${entries.join('\n')}\n};\n`;
  },
};
