import { type Static, Type } from '../routes/type.js';
import { routeValidator } from '../routes/validator.js';
import { ACTION_NAMES, ACTIONS, type ActionName } from './actions.js';
import { KEYS, MATCHING_KEYS } from './keys.js';

const faultSchema = Type.Object(
  {
    ...KEYS,
    do: Type.Unsafe<ActionName>({
      type: 'string',
      enum: ACTION_NAMES,
      description: `one of ${ACTION_NAMES.join(', ')}`,
    }),
  },
  { additionalProperties: false },
);

/** The schema of a fault file. Messages quote its descriptions as the expected values. */
export const faultFileSchema = Type.Object(
  {
    seed: Type.Optional(Type.Integer({ description: 'a whole number' })),
    faults: Type.Array(faultSchema, { description: 'a list of faults' }),
  },
  { additionalProperties: false },
);

export type FaultFile = Static<typeof faultFileSchema>;
export type Fault = FaultFile['faults'][number];

/** An invalid fault file. The message has a line for each problem. */
export class FaultFileError extends Error {
  override readonly name = 'FaultFileError';
}

/** Checks a fault file; throws a FaultFileError that names each wrong rule and key, and the expected values. */
export function checkFaults(value: unknown): FaultFile {
  const validate = routeValidator({ schema: faultFileSchema });
  const problems = validate(value)
    ? unsupportedParameters(value as FaultFile)
    : ((validate as Validator).errors ?? []).map((problem) => describeProblem(problem, value));
  if (problems.length > 0) throw new FaultFileError([...new Set(problems)].join('\n'));
  return value as FaultFile;
}

interface Problem {
  readonly instancePath: string;
  readonly params: { readonly additionalProperty?: string; readonly missingProperty?: string };
}

type Validator = { readonly errors?: readonly Problem[] | null };

/** Names a fault in messages: by its number, method, path and action. */
const nameOf = (fault: Partial<Fault>, index: number): string => {
  const about = [fault.method, fault.path, fault.do].filter((one) => one !== undefined);
  return `Fault ${index + 1}${about.length === 0 ? '' : ` (${about.join(' ')})`}`;
};

function describeProblem(problem: Problem, value: unknown): string {
  const [, field, number, key] = problem.instancePath.split('/');
  if (number === undefined) return describeKeyProblem('The file', faultFileSchema.properties, field, problem);
  const fault = (value as { faults: Partial<Fault>[] }).faults[Number(number)] ?? {};
  const { additionalProperty: extra } = problem.params;
  const place = nameOf(fault, Number(number));
  if (extra !== undefined) return unknown(place, extra, keysBeside(fault.do));
  return describeKeyProblem(place, faultSchema.properties, key, problem);
}

const unknown = (place: string, key: string, known: readonly string[]): string =>
  `${place}: "${key}" is not known. Known are ${known.join(', ')}.`;

function describeKeyProblem(place: string, known: object, key: string | undefined, { params }: Problem): string {
  const { additionalProperty: extra, missingProperty: missing } = params;
  if (extra !== undefined) return unknown(place, extra, Object.keys(known));
  const about = missing ?? key;
  if (about === undefined)
    return `${place} must be an object with ${place === 'The file' ? 'a list "faults"' : '"do"'}.`;
  const { description } = (known as Readonly<Record<string, { description?: string }>>)[about] ?? {};
  return `${place}: "${about}" is ${missing ? 'missing' : 'not valid'}. It takes ${description}.`;
}

/** Returns the keys that a fault with this action may have; all keys for an unknown action. */
function keysBeside(action: string | undefined): readonly string[] {
  const takes = ACTION_NAMES.find((name) => name === action);
  return [...MATCHING_KEYS, 'do', ...(takes ? ACTIONS[takes].takes : Object.keys(KEYS).slice(MATCHING_KEYS.length))];
}

/** Reports parameters that the action of their fault does not take. */
function unsupportedParameters({ faults }: FaultFile): string[] {
  return faults.flatMap((fault, index) => {
    const takes: readonly string[] = ACTIONS[fault.do].takes;
    return Object.keys(fault)
      .filter((key) => key !== 'do' && !MATCHING_KEYS.includes(key) && !takes.includes(key))
      .map((key) => {
        const instead = takes.length === 0 ? 'no parameters' : takes.join(', ');
        return `${nameOf(fault, index)}: "${key}" says nothing to ${fault.do}, which takes ${instead}.`;
      });
  });
}
