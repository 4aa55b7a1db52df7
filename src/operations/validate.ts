import type { Host, ProjectOptions } from './host.js';
import { openProject } from './project.js';

export interface Validated {
  readonly manifests: number;
  readonly files: number;
}

/** Checks configuration and manifests without reaching any workspace. Findings are emitted; an error among them throws. */
export async function validate(options: ProjectOptions, host: Host): Promise<Validated> {
  const { linked } = await openProject(options, host);
  const files = new Set(linked.manifests.map(({ origins }) => origins.start.file));
  return { manifests: linked.manifests.length, files: files.size };
}
