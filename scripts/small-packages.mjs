// Packages without white space and with short local names, in chunks whose own code stays as it is.
import { minifySync } from 'rolldown/utils';

/** Other modules of the chunk may use what is at the top of one; names of functions and classes are in traces. */
const SMALL = {
  module: true,
  compress: false,
  mangle: { toplevel: false, keepNames: true },
  codegen: { removeWhitespace: true, legalComments: /** @type {const} */ ('inline') },
};

/** The bundler writes the path of a module above its code. */
const MODULES = /^(?=\/\/ \S+$)/m;

export const smallPackages = {
  name: 'small-packages',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const parts = chunk.code.split(MODULES);
      chunk.code = parts.map((part) => (part.startsWith('// node_modules/') ? shrink(part) : part)).join('');
    }
  },
};

/** @param {string} code */
function shrink(code) {
  const { code: small, errors } = minifySync('module.js', code, SMALL);
  if (errors[0] !== undefined) throw new Error(`${code.split('\n', 1)}: ${errors[0].message}`);
  return `${small}\n`;
}
