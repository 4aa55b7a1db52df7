import type { StageFacts } from '#core/engine/gates.js';
import { type Release, releaseKeyOf, releaseName } from '#core/model/release.js';
import type { ReleaseNote } from '#ledger/release-notes.js';
import type { Promotion } from './promotions.js';

/**
 * What is known of a release at the stage before. `promotions`: those to it, the newest first; undefined if its
 * workspace is not known here.
 */
export function stageFacts(
  release: Release,
  environment: string,
  promotions: readonly Promotion[] | undefined,
  notes: readonly ReleaseNote[],
): StageFacts {
  if (environment === release.source)
    return { environment, appliedAt: release.at, hotfixes: 0, passed: passedChecks(notes, environment, release.at) };
  const nothing = { environment, hotfixes: 0, passed: [] };
  if (promotions === undefined) {
    const problem = `What environment "${environment}" has is not known here; \`dexsync env check ${environment}\` logs in once and remembers its workspace.`;
    return { ...nothing, problem };
  }
  const of = promotions.filter(({ name }) => name === releaseName(release));
  const whole = of.find(({ open, partial }) => open === 0 && !partial);
  if (whole === undefined || whole.at === null) return { ...nothing, problem: unappliedText(of[0], environment) };
  const { at, hotfixes } = whole;
  return { environment, appliedAt: at, hotfixes, passed: passedChecks(notes, environment, at) };
}

function unappliedText(newest: Promotion | undefined, environment: string): string {
  if (newest === undefined) return `It was not applied to environment "${environment}".`;
  const { open, conflicts } = newest;
  if (open === 0) return `Only a part of it was applied to environment "${environment}".`;
  const ofThem = conflicts === 0 ? '' : `, ${conflicts} of them in conflict`;
  return `${open === 1 ? '1 object' : `${open} objects`} of it ${open === 1 ? 'is' : 'are'} open in environment "${environment}"${ofThem}.`;
}

/** The checks whose newest result there, since `at`, is a pass. */
function passedChecks(notes: readonly ReleaseNote[], environment: string, since: string): string[] {
  const newest = new Map<string, ReleaseNote['is']>();
  for (const { is, check, environment: where, at } of notes)
    if (check !== undefined && where === environment && at >= since) newest.set(check, is);
  return [...newest].flatMap(([check, is]) => (is === 'passed' ? [check] : []));
}

/** Why a release must not go to a stage, if the newest word about it says so. `names`: of the environment and its fleet. */
export function holdOf(notes: readonly ReleaseNote[], names: readonly string[]): string | undefined {
  const about = notes.filter((note) => note.environment === undefined || names.includes(note.environment));
  const newest = about.findLast(({ is }) => is === 'held' || is === 'lifted');
  if (newest?.is !== 'held') return undefined;
  const { by, at, reason } = newest;
  return `${by} holds it since ${at.slice(0, 10)}${reason === undefined ? '' : `: ${reason}`}.`;
}

/** Why a release is not taken by itself to an environment: it has a newer one. `promotions`: those to it, the newest first. */
export function newerThan(release: Release, promotions: readonly Promotion[], environment: string): string | undefined {
  const [current = 0] = numbersOf(promotions, release.source);
  return release.number < current
    ? `Environment "${environment}" has ${releaseName({ ...release, number: current })}, which is newer.`
    : undefined;
}

/**
 * Why a release is not taken by itself: an environment went back from this one. `promotions`: those to it, the newest
 * first; `names`: of it and its fleet.
 */
export function wentBackFrom(
  release: Release,
  promotions: readonly Promotion[],
  notes: readonly ReleaseNote[],
  names: readonly [environment: string, ...fleet: string[]],
): string | undefined {
  const [environment] = names;
  const numbers = numbersOf(promotions, release.source);
  const [current = 0] = numbers;
  const left = Math.max(0, ...numbers);
  const back = promotions[0]?.at ?? '';
  if (release.number <= current || release.number > left) return undefined;
  if (notes.some(({ is, environment: where = '', at }) => is === 'lifted' && names.includes(where) && at >= back))
    return undefined;
  return `Environment "${environment}" went back from ${releaseName({ ...release, number: left })} to r${current}. Create a newer release, or lift it with \`dexsync release lift ${releaseName(release)} --to ${names.at(-1)}\`.`;
}

/** The numbers of the releases of a source among promotions. */
export const numbersOf = (promotions: readonly Promotion[], source: string): number[] =>
  promotions.flatMap(({ name }) => {
    const key = releaseKeyOf(name);
    return key?.source === source ? [key.number] : [];
  });
