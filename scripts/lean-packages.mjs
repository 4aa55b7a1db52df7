// What packages would do when they are loaded, though the program uses little of it: together a tenth of a short command.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const { resolve } = require;

/** cosmiconfig requires js-yaml, which the program imports: two forms of the same package. */
const JS_YAML = join(dirname(resolve('js-yaml/package.json')), 'dist/js-yaml.mjs');

/** undici's own index loads all of `fetch`, WebSocket and caches besides. Its first lines are these, for what we use. */
const UNDICI = `
import Dispatcher from '${resolve('undici/lib/dispatcher/dispatcher.js')}';
import Agent from '${resolve('undici/lib/dispatcher/agent.js')}';
import errors from '${resolve('undici/lib/core/errors.js')}';
import api from '${resolve('undici/lib/api/index.js')}';
Object.assign(Dispatcher.prototype, api);
export { Agent, errors };
`;

/** string-width opens the tables of Unicode at once; text of ASCII never needs them. */
const SEGMENTER = 'const segmenter = new Intl.Segmenter();';
const LATER = 'let opened; const segmenter = { segment: (text) => (opened ??= new Intl.Segmenter()).segment(text) };';

/** A module that is one function or is asked for its exports one by one; the body of a function loads it when it is used. */
const deferred = (body) => `const load = () => { ${body} };
const get = (_, name) => load()[name];
module.exports = new Proxy(() => {}, { get, apply: (_, self, given) => Reflect.apply(load(), self, given) });`;

/**
 * What stays in its package, for the few that use it: fastify's logger, compilers, requests without a socket; undici's
 * forms; the spans that prom-client can name.
 */
export const IN_PACKAGES = [
  ...['pino', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'].map(
    (id) => /** @type {const} */ ([id, 'fastify', id]),
  ),
  /** @type {const} */ (['../web/fetch/body.js', 'undici', './lib/web/fetch/body.js']),
  /** @type {const} */ (['@opentelemetry/api', 'prom-client', '@opentelemetry/api']),
];

/** Found from the package that requires it, wherever an installation puts it. */
const fromPackage = (owner, path) =>
  deferred(`const { createRequire } = require('node:module');
  return createRequire(createRequire(import.meta.url).resolve('${owner}'))('${path}');`);

/** undici's HTTP/2, which it must be asked for, loads that of Node. */
const HTTP_2 = './client-h2.js';

/** A module that is loaded when something of it is first used. */
const lazily = (id) => `const names = ${JSON.stringify(Object.keys(require(id)))};
for (const name of names) Object.defineProperty(exports, name, { get: () => require(${JSON.stringify(resolve(id))})[name] });`;

/** The parser with positions is used where the fast one leaves a text to it; commander starts programs of its own only if told. */
const LATE = ['yaml', 'node:child_process'];

/** The text of a module by its name. */
const LEAN = new Map([
  ['lean:undici', UNDICI],
  ...IN_PACKAGES.map(([id, owner, path]) => /** @type {const} */ ([`lean:${id}`, fromPackage(owner, path)])),
  [`lean:${HTTP_2}`, deferred(`return require('${resolve(`undici/lib/dispatcher/${HTTP_2.slice(2)}`)}');`)],
  ...LATE.map((id) => /** @type {const} */ ([`lean:${id}`, lazily(id)])),
]);

export const lean = {
  name: 'lean-packages',
  resolveId(id, importer) {
    if (id === 'js-yaml') return JS_YAML;
    if (id.startsWith('.') && !importer?.includes('/undici/lib/')) return undefined;
    if (id.startsWith('node:') && !importer?.includes('/commander/')) return undefined;
    return LEAN.has(`lean:${id}`) ? `lean:${id}` : undefined;
  },
  load: (id) => LEAN.get(id),
  transform(code, id) {
    if (!id.endsWith('/string-width/index.js') || !code.includes('Intl.Segmenter')) return undefined;
    if (!code.includes(SEGMENTER)) throw new Error(`${id} no longer has "${SEGMENTER}".`);
    return { code: code.replace(SEGMENTER, LATER), map: null };
  },
};
