import { resultWords } from '../human/comparison-text.js';
import { driftedRows, driftPhrase } from '../human/import-drift-text.js';
import { driftedPath } from './drifted-path.js';
import { fleetProblems } from './fleet-targets.js';
import { importProblems } from './import-problems.js';
import { placeIn, placeProperty } from './place.js';
import { planProblems } from './plan-problems.js';
import { hintProperty, type Problem, sourceProperty } from './problem.js';
import type { Report } from './report.js';

/** Lists every problem of a report, each with its position in the manifests or in the file of an import. */
export function listProblems(report: Report): Problem[] {
  return [
    ...failureProblems(report),
    ...diagnosticProblems(report),
    ...planProblems(report),
    ...driftProblems(report),
    ...importDriftProblems(report),
    ...differenceProblems(report),
    ...importProblems(report),
    ...fleetProblems(report, 'each'),
  ];
}

/** Omits a failure that the diagnostics explain already. */
function failureProblems({ failure, diagnostics }: Report): Problem[] {
  if (failure === undefined) return [];
  const isSaid = ['MANIFESTS_INVALID', 'CONFIG_INVALID', 'PROMOTION_INVALID'].includes(failure.code);
  if (isSaid && diagnostics.some(({ severity }) => severity === 'error')) return [];
  const { code, message, hint } = failure;
  return [{ about: 'failure', level: 'error', code, message, ...hintProperty(hint) }];
}

/** Diagnostics of the command, and those of the plans of a fleet, equal ones once. */
function diagnosticProblems({ diagnostics, fleet, setting }: Report): Problem[] {
  const ofPlans = (fleet?.plan.problems ?? []).flatMap(({ findings }) => findings);
  const unlike = new Map(ofPlans.map((finding) => [JSON.stringify(finding), finding]));
  return [...diagnostics, ...unlike.values()].map(({ severity, code, message, hint, origin }) => ({
    about: 'diagnostic',
    level: severity,
    code,
    message,
    ...sourceProperty(origin),
    ...hintProperty(hint),
    ...placeProperty(origin === undefined ? undefined : placeIn(setting, 'here', origin)),
  }));
}

const DRIFT_WORDS = {
  changed: 'was changed',
  renamed: 'was renamed',
  deleted: 'was deleted',
  replaced: 'was replaced by another object',
  absent: 'is not in the workspace',
} as const;

/** Number of fields that a message names; others are only counted. */
const MOST_FIELDS = 5;

function pathsText(fields: readonly { readonly path: string }[]): string {
  const named = fields.slice(0, MOST_FIELDS).map(({ path }) => path);
  const more = fields.length > MOST_FIELDS ? [`${fields.length - MOST_FIELDS} more`] : [];
  return named.length === 0 ? '' : ` (${[...named, ...more].join(', ')})`;
}

const NAMED_HINT = '`dexsync apply` reverts the change; `dexsync pull` writes it into the manifest.';
const UNNAMED_HINT =
  '`dexsync apply` leaves it; `dexsync pull --drifted` writes it into the manifest, and `manage: full` in its metadata reverts it.';

function driftProblems({ drift, setting }: Report): Problem[] {
  return (drift?.objects ?? []).map(({ address, what, fields, changedBy, origin }) => {
    const by = changedBy === undefined ? '' : ` by ${changedBy}`;
    const where = pathsText(fields.map((field) => ({ path: driftedPath(field) })));
    return {
      about: 'drift',
      level: 'warning',
      code: `drift-${what}`,
      message: `${address} ${DRIFT_WORDS[what]} outside dexsync${by}${where}.`,
      hint: fields.length > 0 && fields.every(({ named }) => !named) ? UNNAMED_HINT : NAMED_HINT,
      address,
      ...placeProperty(placeIn(setting, 'project', origin)),
    };
  });
}

/** Reports drifted rows. Rows that were not compared are not drift, and never count as unchanged. */
function importDriftProblems({ drift }: Report): Problem[] {
  return (drift?.imports ?? []).flatMap((one): Problem[] => {
    const { address, runs, why } = one;
    const of = `${address}${runs === undefined ? '' : ` (${runs})`}`;
    if (why !== undefined) {
      const message = `The rows of ${of} were not compared: ${why}.`;
      return [{ about: 'finding', level: 'warning', code: 'rows-not-compared', message, address }];
    }
    if (driftedRows(one) === 0) return [];
    const message = `${of} is not as it was committed: ${driftPhrase(one)}.`;
    const hint = '`dexsync apply --reimport NAME` sends the rows of an import again.';
    return [{ about: 'drift', level: 'warning', code: 'drift-rows', message, hint, address }];
  });
}

/** Reports differences between two workspaces, which have no place in a file. */
function differenceProblems({ compared }: Report): Problem[] {
  if (compared === undefined) return [];
  const words = resultWords(compared);
  const between = `environments ${compared.from.environment} and ${compared.to.environment}`;
  return compared.objects.map(({ address, what, fields }) => ({
    about: 'difference',
    level: 'warning',
    code: `difference-${what}`,
    message:
      what === 'different'
        ? `${address} is different in the ${between}${pathsText(fields)}.`
        : `${address} is ${words[what]} (${between}).`,
    address,
  }));
}
