import type { Origin } from '#base/diagnostics.js';
import { manifestYaml } from '#core/manifest/manifest-yaml.js';
import type { Address } from '#core/model/address.js';
import type { Metadata } from '#core/model/document.js';
import type { JsonObject } from '#core/model/json.js';
import type { PlanningOptions } from '#delivery/planning/planning-options.js';
import { selectManifests } from '#delivery/planning/select-manifests.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { emitDiagnostics, openProject, probableTypos } from '#project/project.js';
import { shownFile } from '#project/shown-file.js';

/** The manifests to render. */
export type RenderOptions = ProjectOptions & Pick<PlanningOptions, 'only' | 'exclude'>;

/** A manifest as the input of a plan. */
export interface RenderedManifest {
  readonly address: Address;
  /** Where it begins. */
  readonly origin: Origin;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec: JsonObject;
}

/** Renders the manifests of one environment, with variables and overlay applied, by address. Contacts no workspace. */
export async function render(options: RenderOptions, host: Host): Promise<readonly RenderedManifest[]> {
  const { config, linked } = await openProject(options, host);
  emitDiagnostics(host, config.folder, probableTypos(linked));
  const shown = shownFile(host.cwd, config.folder);
  return selectManifests(linked, options, config.catalog).linked.manifests.map(
    ({ address, kind, metadata, spec, origins: { start } }) => ({
      address,
      origin: { ...start, file: shown(start.file) },
      kind,
      metadata,
      spec,
    }),
  );
}

/** Formats rendered manifests as YAML documents, each below a comment with its place. */
export const renderedYaml = (manifests: readonly RenderedManifest[]): string =>
  manifests.map((manifest) => `# ${placeText(manifest.origin)}\n${manifestYaml(manifest)}`).join('---\n');

const placeText = ({ file, line, row }: Origin): string => `${file}:${line}${row === undefined ? '' : ` (${row})`}`;
