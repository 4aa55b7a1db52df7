import type { Diagnostic } from '#base/diagnostics.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { matchesAddress, matchesManifest, type Patterns } from '#core/engine/selection.js';
import type { Address } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import { type Release, releaseName } from '#core/model/release.js';
import type { FoundFiles } from '#data/imports/find-source.js';
import { findReleasedFile } from '#data/imports/released-file.js';
import type { Config } from '#project/config/load-config.js';
import type { Host } from '#project/host.js';

/** An import of a release. */
type ReleasedImport = Release['content']['imports'][number];

/** The imports of a release as jobs of the target, with their very files, or why one cannot come along. */
export interface ReleasedData {
  readonly jobs: readonly Manifest[];
  readonly files: FoundFiles;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the manifests and files of the imports of a release; those that `--exclude` names stay. */
export async function releasedData(
  release: Release,
  { patterns, project }: { readonly patterns: Patterns; readonly project: readonly Manifest[] },
  config: Config,
  host: Host,
): Promise<ReleasedData> {
  const commits = [release.applied?.by?.git?.commit, release.by.git?.commit].flatMap((commit) => commit ?? []);
  const manifests = new Map(project.map((manifest) => [manifest.address, manifest]));
  const files = new Map<Address, { path: string; released: ReturnType<typeof fileOf> & object }>();
  const diagnostics: Diagnostic[] = [];
  const jobs: Manifest[] = [];
  for (const one of release.content.imports) {
    const manifest = manifests.get(one.address);
    if (isLeftOut(one.address, manifest, patterns)) continue;
    const released = fileOf(one, commits);
    const path = released && (await findReleasedFile(released, config, host));
    if (manifest === undefined || released === undefined || path === undefined) {
      diagnostics.push(cannotCome(one, release, manifest));
      continue;
    }
    jobs.push(manifest);
    files.set(one.address, { path, released });
  }
  return { jobs, files, diagnostics };
}

const fileOf = ({ file }: ReleasedImport, commits: readonly string[]) =>
  file === undefined ? undefined : { ...file, commits: [...new Set(commits)] };

function isLeftOut(address: Address, manifest: Manifest | undefined, { only, exclude }: Patterns): boolean {
  const names = (patterns: Patterns['only']): boolean =>
    patterns.some((pattern) =>
      pattern.by === 'address'
        ? matchesAddress(pattern, address)
        : manifest !== undefined && matchesManifest(pattern, manifest),
    );
  return names(exclude) || (only.length > 0 && !names(only));
}

function cannotCome({ address, file }: ReleasedImport, release: Release, manifest: Manifest | undefined): Diagnostic {
  const of = `${address} of release ${releaseName(release)}`;
  const [message, hint] =
    manifest === undefined
      ? [`${of} has no manifest here.`, 'Check out the manifests of the release.']
      : file === undefined
        ? [
            `${of}: the ledger does not know its file, since it has physical files or an earlier version sent it.`,
            'Apply its manifest to the target.',
          ]
        : [
            `${of} read "${file.path}" with other content, which is neither in the project, nor in the commit of the release, nor in the store (\`fileStore\`).`,
            'Put the file of the release there, or fetch its commit (a shallow clone may lack it).',
          ];
  return {
    severity: 'error',
    code: 'released-file-missing',
    message,
    hint: `${hint} \`--exclude ${address}\` leaves its rows out.`,
    ...omitUndefined({ origin: manifest?.origins.start }),
  };
}
