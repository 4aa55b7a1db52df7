import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { type Pattern, type Patterns, patternsWithoutMatch } from '#core/engine/selection.js';
import type { Manifest } from '#core/model/document.js';
import type { Source } from './read-source.js';

/** The request, and the manifests besides the objects of the environment. */
export interface Asked {
  readonly patterns: Patterns;
  readonly project: readonly Manifest[];
  readonly jobs: readonly Manifest[];
  readonly stack: string;
}

/** Throws USAGE if a pattern matches nothing or nothing is selected, NOT_OWNED if the stack owns nothing. */
export function checkSource(
  { known, objects, findings, environment }: Source,
  { patterns, project, jobs, stack }: Asked,
): void {
  const all = [...project, ...known];
  for (const option of ['only', 'exclude'] as const) {
    const [missing] = patternsWithoutMatch(patterns[option], all);
    if (missing !== undefined) throw matchesNothing(`--${option}`, missing, all, environment);
  }
  if (objects.length > 0 || jobs.length > 0 || findings.length > 0) return;
  if (patterns.only.length + patterns.exclude.length > 0) {
    throw new DexsyncError(
      'USAGE',
      `Nothing of environment "${environment}" is selected, so there is nothing to promote.`,
      {
        hint: '`--only` selects among the objects that are there now; `--exclude` wins over it.',
      },
    );
  }
  const message = `The stack "${stack}" owns nothing in environment "${environment}", so there is nothing to promote.`;
  throw new DexsyncError('NOT_OWNED', message, {
    hint: `Name objects with \`--only KIND/NAME\`, or adopt them: \`dexsync adopt KIND/NAME --env ${environment}\`.`,
  });
}

function matchesNothing(
  option: string,
  { text }: Pattern,
  all: readonly Manifest[],
  environment: string,
): DexsyncError {
  const addresses = [...new Set(all.map(({ address }) => address))];
  return new DexsyncError(
    'USAGE',
    `\`${option}\` "${text}" matches no object of environment "${environment}" and no manifest.`,
    {
      hint: nearestHint(text, addresses) ?? 'A pattern must match the whole text; `*` matches any text.',
    },
  );
}
