import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { addressOf } from '#core/model/address.js';
import { canonical, isObject, type Json } from '#core/model/json.js';
import type { Connection } from '#project/connection/connection.js';
import type { NamedDefinition } from '#project/live/find-live-definition.js';
import { foreignNames, RECORD_FILE, type RunRecord } from './run-record.js';

type RunSource = 'new run' | 'latest';

/**
 * Parses `--criteria` in the service's own form: groups of comparisons (wire-facts 5.1). Checked before a request is
 * spent; throws USAGE if the form is wrong.
 */
export function parseCriteria(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  const hint = `Write it as [[{"attribute": "number", "operator": "IS_EQUAL_TO", "value": "P-100"}]], in one argument.`;
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DexsyncError('USAGE', `\`--criteria\` is not JSON: ${(error as Error).message}.`, { hint });
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isGroup)) return value;
  throw new DexsyncError('USAGE', '`--criteria` is JSON, but not a list of groups of comparisons.', { hint });
}

/** The words "AND" and "OR" may come between groups. */
const isGroup = (entry: Json): boolean => Array.isArray(entry) || typeof entry === 'string' || isObject(entry);

/**
 * Throws USAGE if the target folder contains anything but what an earlier attempt put there, unless that is allowed, or
 * if `--latest` is used while a run is in progress there.
 */
export async function checkFolder(
  folder: string,
  recorded: RunRecord | undefined,
  { existing, source }: { readonly existing: 'refused' | 'replaced'; readonly source: RunSource },
): Promise<void> {
  if (recorded !== undefined && source === 'latest') {
    throw new DexsyncError(
      'USAGE',
      `A run is in progress in ${folder}, and \`--latest\` neither starts nor resumes a run.`,
      {
        hint: 'Leave out `--latest` to resume it, or use another `--out`.',
      },
    );
  }
  const there = await foreignNames(folder, recorded?.files ?? []);
  if (there.length === 0 || existing === 'replaced') return;
  const shown = there.slice(0, 3).map((name) => `"${name}"`);
  const more = there.length > shown.length ? ` and ${there.length - shown.length} more` : '';
  throw new DexsyncError(
    'USAGE',
    `${folder} is not empty: it contains ${shown.join(', ')}${more}. No run was started.`,
    {
      hint: 'Use an empty folder, or `--force` to replace files with the same names and keep all others.',
    },
  );
}

interface WantedTransfer {
  readonly folder: string;
  readonly address: string;
  readonly criteria: Json | undefined;
}

/** Throws USAGE for a record of another workspace, definition or selection: its own command must end it. */
export function checkRecord(recorded: RunRecord | undefined, asked: WantedTransfer, { workspace }: Connection): void {
  if (recorded === undefined) return;
  const { kind, definition } = recorded;
  if (recorded.workspace !== workspace.identity) {
    throw otherRunInProgress(asked, `of workspace ${recorded.workspace} (this one is ${workspace.identity})`);
  }
  if (addressOf(kind, definition) !== asked.address) throw otherRunInProgress(asked, `of ${kind}/${definition}`);
  if (canonical(recorded.criteria) !== canonical(asked.criteria))
    throw otherRunInProgress(asked, 'with other criteria');
}

/** Throws USAGE if the record is of another definition, which had the same name when it was written. */
export function checkSameDefinition(
  recorded: RunRecord | undefined,
  { guid }: NamedDefinition,
  asked: WantedTransfer,
): void {
  if (recorded === undefined || recorded.definitionGuid === guid) return;
  throw otherRunInProgress(asked, `of another definition named ${asked.address}`);
}

/**
 * Criteria are in the definition or in the run, never in both (wire-facts 5.1); throws USAGE if they are in both or in
 * none.
 */
export function checkCriteria(
  { body }: NamedDefinition,
  { address, criteria }: WantedTransfer,
  source: RunSource,
): void {
  if (source === 'latest') {
    if (criteria === undefined) return;
    throw new DexsyncError('USAGE', '`--criteria` is for a new run, and `--latest` does not start one.', {
      hint: 'Leave out one of the two.',
    });
  }
  const own = body.criteria !== null && body.criteria !== undefined;
  if (own && criteria !== undefined) {
    throw new DexsyncError('USAGE', `${address} has its own criteria, which a run cannot override.`, {
      hint: 'Leave out `--criteria`, or use a definition without criteria.',
    });
  }
  if (!own && criteria === undefined) {
    throw new DexsyncError('USAGE', `${address} has no criteria, so each run needs its own.`, {
      hint: `Use \`--criteria '[[{"attribute": "number", "operator": "IS_EQUAL_TO", "value": "P-100"}]]'\`.`,
    });
  }
}

const otherRunInProgress = ({ folder, address }: WantedTransfer, whose: string): DexsyncError =>
  new DexsyncError('USAGE', `A run ${whose} is in progress in ${folder}; ${address} was not started.`, {
    hint: `Use another \`--out\`, or finish that run with its own command; to give it up, remove ${join(folder, RECORD_FILE)}.`,
  });
