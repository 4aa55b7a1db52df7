import type { ASTNode, ParseError, ParseResult, SourceRange, TypeCheckResult } from '@marcbachmann/cel-js';
import { nearestHint } from '#base/nearest.js';

/** What is wrong with a condition, to be reported at its place. */
export interface RuleProblem {
  readonly code: 'rule-syntax' | 'rule-type' | 'rule-result';
  readonly message: string;
  readonly hint: string;
}

/** Variables that have fields, by name. */
export type Names = Readonly<Record<string, object>>;

const LANGUAGE = 'Conditions are written in CEL, such as: production && step.action == "delete".';

/** Reports a condition that cannot be parsed. */
export const syntaxProblem = ({ summary, range }: ParseError): RuleProblem => ({
  code: 'rule-syntax',
  message: `${summary} (character ${(range as SourceRange).start + 1}).`,
  hint: LANGUAGE,
});

/** Finds what would make a condition fail at every step; undefined if nothing would. */
export function problemIn(condition: ParseResult, names: Names): RuleProblem | undefined {
  const checked = condition.check();
  if (!checked.valid) return typeProblem(checked, condition.ast.input, names);
  if (checked.type !== 'bool' && checked.type !== 'dyn') {
    const message = `A condition must be true or false; this one is of type ${checked.type}.`;
    return { code: 'rule-result', message, hint: LANGUAGE };
  }
  for (const node of nodesOf(condition.ast)) {
    const problem = unknownField(node, names) ?? badPattern(node);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function typeProblem({ error }: TypeCheckResult, text: string, names: Names): RuleProblem {
  const { summary, code, range } = error as ParseError;
  const { start, end } = range as SourceRange;
  const known = code === 'unknown_variable' ? ['production', 'now', ...Object.keys(names)] : fieldsOf(names);
  const unknown = code === 'unknown_variable' || code === 'no_such_key';
  const hint = unknown ? (nearestHint(text.slice(start, end), known) ?? listFields(names)) : LANGUAGE;
  return { code: 'rule-type', message: `${summary} (character ${start + 1}).`, hint };
}

const fieldsOf = (names: Names): string[] => Object.values(names).flatMap((fields) => Object.keys(fields));

const listFields = (names: Names): string =>
  Object.entries(names)
    .map(([name, fields]) => `${name} has ${Object.keys(fields).join(', ')}.`)
    .join(' ');

/** Finds unknown fields: `has(step.lables.team)` is false for every step, but passes the type check. */
function unknownField({ op, args }: ASTNode, names: Names): RuleProblem | undefined {
  if (op !== '.' && op !== '.?') return undefined;
  const [{ op: of, args: name, start }, field] = args;
  const fields = of === 'id' ? names[name] : undefined;
  if (fields === undefined || Object.hasOwn(fields, field)) return undefined;
  const hint = nearestHint(field, Object.keys(fields)) ?? listFields(names);
  return { code: 'rule-type', message: `No such key: ${field} (character ${start + 1}).`, hint };
}

/** Checks a literal pattern now, since an invalid one would fail at every step. */
function badPattern({ op, args }: ASTNode): RuleProblem | undefined {
  if (op !== 'rcall' || args[0] !== 'matches') return undefined;
  const [pattern] = args[2];
  if (pattern?.op !== 'value' || isRegularExpression(String(pattern.args))) return undefined;
  const message = `"${pattern.args}" is not a valid regular expression (character ${pattern.start + 1}).`;
  return { code: 'rule-type', message, hint: 'Within quotes, write a backslash twice: "\\\\.".' };
}

function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

function* nodesOf(node: ASTNode): Generator<ASTNode> {
  yield node;
  for (const child of childrenIn(node.args)) yield* nodesOf(child);
}

function childrenIn(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(childrenIn);
  return typeof args === 'object' && args !== null && 'op' in args ? [args as ASTNode] : [];
}
