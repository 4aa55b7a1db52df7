import { omitUndefined } from '#base/omit-undefined.js';
import { releaseName } from '#core/model/release.js';
import { findRelease } from '#delivery/release/find-release.js';
import { addNote, type ReleaseNote } from '#ledger/release-notes.js';
import { authorText, changeLog } from '#ledger/stored-plan.js';
import { findSettings } from '#project/config/environment-settings.js';
import { currentAuthor } from '#project/connection/author.js';
import { withReleases } from '#project/connection/releases-of.js';
import type { Host, ProjectOptions } from '#project/host.js';

/** What to say about a release. */
export interface NoteReleaseOptions extends Pick<ProjectOptions, 'config' | 'environment' | 'reason'> {
  readonly release: string;
  /** `passed` and `failed` are results of a check; a release that is `held` goes nowhere until that is `lifted`. */
  readonly is: ReleaseNote['is'];
  /** The name of the check. */
  readonly check?: string;
  /** Where it was checked, or where it must not go: everywhere by default. */
  readonly at?: string;
}

/** A note as it was recorded. */
export interface RecordedNote extends Omit<ReleaseNote, 'author'> {
  readonly release: string;
}

/** Records what somebody says about a release; the newest word counts. Needs no login and sends no request. */
export const noteRelease = (
  { release: reference, is, check, at: environment, reason, ...options }: NoteReleaseOptions,
  host: Host,
): Promise<RecordedNote> =>
  withReleases(options, host, async ({ config, chosen, releases }) => {
    const isFleet = config.chain?.some(({ fleet }) => fleet !== undefined && fleet === environment);
    if (environment !== undefined && isFleet !== true) findSettings(config, environment, host.variables);
    const release = await findRelease(reference, releases);
    const author = currentAuthor(config, chosen, host);
    const given = { is, at: host.clock().toISOString(), ...omitUndefined({ check, environment, reason }) };
    await addNote(releases, release, { ...given, author }, changeLog(is, author));
    return { release: releaseName(release), ...given, by: authorText(author) };
  });
