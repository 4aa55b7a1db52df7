import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import { refuseOtherFile } from '#base/files/refuse-other-file.js';
import { replaceFile } from '#base/files/replace-file.js';
import { type ObjectChange, releaseChanges } from '#core/engine/release.js';
import { type Release, releaseName } from '#core/model/release.js';
import { findRelease } from '#delivery/release/find-release.js';
import { type StageShare, stageShares } from '#delivery/release/stage-shares.js';
import { readNotes } from '#ledger/release-notes.js';
import { changeLog } from '#ledger/stored-plan.js';
import { addRelease, parseRelease, releaseKeys, releaseText, readRelease as stored } from '#ledger/stored-release.js';
import { currentAuthor } from '#project/connection/author.js';
import { withReleases } from '#project/connection/releases-of.js';
import type { Host, ProjectOptions } from '#project/host.js';

/** Which releases to list. */
export interface ListReleasesOptions extends Pick<ProjectOptions, 'config' | 'environment'> {
  /** Only of this source. */
  readonly from?: string;
}

/** A release without its content. */
export interface ReleaseFacts extends Omit<Release, 'content' | 'format'> {
  readonly objects: number;
  readonly imports: number;
  /** The stages of the chain that have it. */
  readonly stages: readonly StageShare[];
}

/** The releases of a stack, the newest of each source first. */
export interface Releases {
  readonly stack: string;
  readonly releases: readonly ReleaseFacts[];
}

/** Lists the releases of the stack. Sends no request. */
export const listReleases = ({ from, ...options }: ListReleasesOptions, host: Host): Promise<Releases> =>
  withReleases(options, host, async ({ config, releases }) => {
    const keys = (await releaseKeys(releases)).filter(({ source }) => from === undefined || source === from);
    const found: ReleaseFacts[] = [];
    const shares = await stageShares(config, host);
    for (const key of keys.toReversed()) {
      const release = await stored(releases, key);
      found.push({ ...releaseFacts(release), stages: shares.get(releaseName(release)) ?? [] });
    }
    return { stack: config.stack, releases: found };
  });

const releaseFacts = ({ content, format: _, ...facts }: Release): Omit<ReleaseFacts, 'stages'> => ({
  ...facts,
  objects: content.objects.length,
  imports: content.imports.length,
});

/** A release to look at: `dev/r41`, `r41` if one source has it, or its other name. */
export interface ReadReleaseOptions extends Pick<ProjectOptions, 'config' | 'environment'> {
  readonly release: string;
}

/** Reads a release. Sends no request. */
export const readRelease = ({ release, ...options }: ReadReleaseOptions, host: Host): Promise<Release> =>
  withReleases(options, host, ({ releases }) => findRelease(release, releases));

/** Reads a release, and what people said about it since. Sends no request. */
export const readReleaseWithNotes = ({ release: name, ...options }: ReadReleaseOptions, host: Host) =>
  withReleases(options, host, async ({ releases }) => {
    const release = await findRelease(name, releases);
    return { release, notes: await readNotes(releases, release) };
  });

/** Two releases to compare. */
export interface DiffReleasesOptions extends Pick<ProjectOptions, 'config' | 'environment'> {
  readonly from: string;
  readonly to: string;
}

/** What became of each object between two releases. */
export interface ReleaseDifferences {
  readonly from: string;
  readonly to: string;
  readonly objects: readonly ObjectChange[];
  /** Imports whose content differs, or that one of them lacks. */
  readonly imports: readonly { readonly address: string; readonly is: 'added' | 'changed' | 'removed' }[];
}

/** Compares two releases by lineage. Sends no request. */
export const diffReleases = ({ from, to, ...options }: DiffReleasesOptions, host: Host): Promise<ReleaseDifferences> =>
  withReleases(options, host, async ({ config, releases }) => {
    const [before, after] = [await findRelease(from, releases), await findRelease(to, releases)];
    return {
      from: releaseName(before),
      to: releaseName(after),
      objects: releaseChanges(before, after, config.catalog.schemaOf),
      imports: importChanges(before.content.imports, after.content.imports),
    };
  });

type Imports = Release['content']['imports'];

function importChanges(before: Imports, after: Imports): ReleaseDifferences['imports'] {
  const [was, is] = [before, after].map((imports) => new Map(imports.map((one) => [one.address, one.digest])));
  const all = [...new Set([...before, ...after].map(({ address }) => address))].sort();
  return all.flatMap((address) => {
    const [old, now] = [was?.get(address), is?.get(address)];
    if (old === now) return [];
    return [
      {
        address,
        is: old === undefined ? ('added' as const) : now === undefined ? ('removed' as const) : ('changed' as const),
      },
    ];
  });
}

/** A release to write to a file. */
export interface ExportReleaseOptions extends ReadReleaseOptions {
  /** Relative to the current folder. */
  readonly out: string;
}

/** A release that went into a file, or came from one. */
export interface TransferredRelease {
  readonly release: string;
  readonly file: string;
  readonly digest: string;
  /** `there`: the ledger had it already. */
  readonly is: 'exported' | 'imported' | 'there';
}

/** Writes a release to a file, for a ledger that does not see this one. Replaces only a release; else throws USAGE. */
export const exportRelease = ({ out, ...options }: ExportReleaseOptions, host: Host): Promise<TransferredRelease> =>
  withReleases(options, host, async ({ releases }) => {
    const release = await findRelease(options.release, releases);
    const path = resolve(host.cwd, out);
    const isMeant = (text: string): boolean => parseRelease(text) !== undefined;
    const mayReplace = (): Promise<void> => refuseOtherFile({ path, file: out, what: 'release', isMeant });
    await replaceFile(path, releaseText(release), { mayReplace }).catch((error: unknown) =>
      throwAsDisk(error, `The file ${out}`),
    );
    return { release: releaseName(release), file: out, digest: release.digest, is: 'exported' };
  });

/** A file with a release. */
export interface ImportReleaseOptions extends Pick<ProjectOptions, 'config' | 'environment'> {
  /** Relative to the current folder. */
  readonly file: string;
}

/**
 * Adds the release of a file to the ledger, under its own number. Sends no request. Throws USAGE if that number has
 * another content there, and FILE_UNREADABLE if the file was altered.
 */
export const importRelease = ({ file, ...options }: ImportReleaseOptions, host: Host): Promise<TransferredRelease> =>
  withReleases(options, host, async ({ config, chosen, releases }) => {
    const text = await readFile(resolve(host.cwd, file), 'utf8').catch((error: unknown) => {
      throw new DexsyncError('FILE_UNREADABLE', `${file} cannot be read: ${reasonOf(error)}.`);
    });
    const release = parseRelease(text);
    if (release === undefined) throw notARelease(file);
    if (release.stack !== config.stack) throw ofOtherStack(release, file, config.stack);
    const facts = { release: releaseName(release), file, digest: release.digest };
    const log = changeLog(`imported from ${file}`, currentAuthor(config, chosen, host));
    if (await addRelease(releases, release, log)) return { ...facts, is: 'imported' };
    const there = await stored(releases, release);
    if (there.digest === release.digest) return { ...facts, is: 'there' };
    throw new DexsyncError(
      'USAGE',
      `The ledger already has another release ${releaseName(release)}, which is not replaced.`,
      {
        hint: `Its digest is ${there.digest.slice(0, 12)}; that of ${file} is ${release.digest.slice(0, 12)}. Two ledgers made releases of one source.`,
      },
    );
  });

const notARelease = (file: string): DexsyncError =>
  new DexsyncError('FILE_UNREADABLE', `${file} is not a release, or somebody changed it after it was exported.`, {
    hint: 'Export it again with `dexsync release export`.',
  });

const ofOtherStack = ({ stack }: Release, file: string, own: string): DexsyncError =>
  new DexsyncError('USAGE', `${file} is a release of the stack "${stack}"; this project is the stack "${own}".`);
