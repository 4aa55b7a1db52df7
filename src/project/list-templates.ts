import { FOR_EACH, isRowSource } from '#core/manifest/for-each.js';
import { parseYaml } from '#core/manifest/parse.js';
import type { JsonObject } from '#core/model/json.js';
import { isObject } from '#core/model/json.js';
import { chosenLayer } from './config/environment-settings.js';
import type { Config } from './config/load-config.js';
import type { Host, ProjectOptions } from './host.js';
import { loadLayers } from './load-layers.js';

/** A manifest of rows as it is written. */
export interface ListTemplate {
  /** Its file, relative to the project. */
  readonly file: string;
  readonly manifest: JsonObject;
}

/** The manifests of an environment that rows of lists are filled into. */
export async function listTemplates(config: Config, options: ProjectOptions, host: Host): Promise<ListTemplate[]> {
  const layer = chosenLayer(config, options.environment, host.variables);
  const { manifests } = await loadLayers(config, layer, options, host);
  return manifests
    .filter(({ text }) => text.includes(FOR_EACH))
    .flatMap(({ text, file }) => parseYaml(text, file).documents.map(({ value }) => ({ file, manifest: value })))
    .filter((one): one is ListTemplate => isObject(one.manifest) && isRowSource(one.manifest[FOR_EACH]));
}
