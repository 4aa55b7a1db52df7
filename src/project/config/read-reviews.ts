import type { Diagnostic } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import { matchesPattern } from '#core/engine/wildcard.js';
import type { Document } from '#core/model/document.js';
import { withoutNulls } from '#core/model/json.js';
import { pointerTo } from '#core/model/pointer.js';
import type { ConfigFile } from './config-schema.js';

/** Reports reviews that protect no environment, and approvals that nobody could give. */
export function reviewsFindings({ value, origins }: Document): Diagnostic[] {
  const { reviews, environments } = withoutNulls(value) as ConfigFile;
  if (reviews === undefined || reviews === null) return [];
  const names = Object.keys(environments);
  const { environments: patterns = [], roles = {}, required = 1 } = reviews;
  const error = (message: string, hint: string, at: string): Diagnostic => {
    return { severity: 'error', code: 'reviews', message, hint, origin: origins.value(at) };
  };
  const nowhere = patterns.flatMap((pattern, index) =>
    names.some((name) => matchesPattern(pattern, name))
      ? []
      : error(
          `\`reviews\` asks for approvals in "${pattern}", which no environment matches.`,
          nearestHint(pattern, names) ?? 'Use an environment of this file.',
          `/reviews/environments/${index}`,
        ),
  );
  const tooMany = Object.entries(roles).flatMap(([role, { members, required: least = 0 }]) =>
    least <= members.length
      ? []
      : error(
          `Role "${role}" has ${members.length} of the ${least} members who must approve.`,
          'Add members, or ask for fewer.',
          pointerTo('/reviews/roles', role),
        ),
  );
  const all = new Set(Object.values(roles).flatMap(({ members }) => members.map((one) => one.toLowerCase())));
  const isImpossible = all.size > 0 && required > all.size;
  return [
    ...nowhere,
    ...tooMany,
    ...(isImpossible
      ? [
          error(
            `${required} people must approve, and all roles have ${all.size}.`,
            'Add members, or ask for fewer.',
            '/reviews/required',
          ),
        ]
      : []),
  ];
}
