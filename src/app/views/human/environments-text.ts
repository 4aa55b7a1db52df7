import type { ListedEnvironment } from '../../operations/list-environments.js';
import { tableText } from './table.js';

/** Environments as a table; a mark shows the one that is used without `--env`. */
export function environmentsText(environments: readonly ListedEnvironment[], width: number | undefined): string {
  if (environments.length === 0) return 'The configuration has no environments.\n';
  const isLabelled = environments.some(({ labels }) => Object.keys(labels).length > 0);
  const rows = environments.map((one) => [
    one.default ? `${one.name} *` : one.name,
    one.workspace ?? 'not set',
    one.profile,
    one.production ? 'yes' : '-',
    one.ledger,
    [...(one.overlay === null ? [] : [`overlay ${one.overlay}`]), ...one.manifests].join(', ') || '-',
    one.variables.join(', ') || '-',
    ...(isLabelled ? [labelsText(one.labels)] : []),
  ]);
  const head = ['NAME', 'WORKSPACE', 'PROFILE', 'PRODUCTION', 'LEDGER', 'FILES OF ITS OWN', 'VARIABLES'];
  if (isLabelled) head.push('LABELS');
  const mark = environments.some((one) => one.default) ? '\n* used without --env\n' : '';
  return `${tableText(head, rows, width)}${mark}`;
}

const labelsText = (labels: ListedEnvironment['labels']): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ') || '-';
