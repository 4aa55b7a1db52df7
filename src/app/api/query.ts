import { compile, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath';
import { withDeadline } from '#base/deadline.js';
import { DexsyncError, reasonOf } from '#base/errors.js';
import type { Json } from '#core/model/json.js';

/** Milliseconds. */
const LONGEST_QUERY = 10_000;

/**
 * Compiles a JMESPath expression, which is checked before anything is sent. A call may take ten seconds. Throws USAGE
 * if the expression is invalid or does not fit the answer.
 */
export function compileQuery(expression: string): (answer: Json) => Json {
  const queryError = (what: string, error: unknown): DexsyncError =>
    new DexsyncError('USAGE', `${what}: ${reasonOf(error)}`, {
      hint: 'Example: `results[].name`. See https://jmespath.org for the syntax.',
      cause: error,
    });
  let tree: ReturnType<typeof compile>;
  try {
    tree = compile(expression);
  } catch (error) {
    throw queryError(`The query "${expression}" is not valid JMESPath`, error);
  }
  return (answer) => {
    try {
      const found: unknown = withDeadline(() => TreeInterpreter.search(tree, answer as JSONValue), LONGEST_QUERY);
      // The library also finds what every JavaScript object has, such as `constructor`: not a field of the answer.
      return typeof found === 'function' || found === undefined ? null : (found as Json);
    } catch (error) {
      throw queryError(`The query "${expression}" does not fit the answer`, error);
    }
  };
}
