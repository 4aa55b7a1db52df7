import { stringify } from 'yaml';
import type { Json, JsonObject } from '../model/json.js';
import { withoutReferences } from './interpolate.js';

/** The parts of a manifest that describe one object. */
export interface WrittenManifest {
  readonly kind: string;
  readonly metadata: object;
  readonly spec: JsonObject;
}

/** The notation of multi-line texts: as blocks, or each on one line. */
type Texts = 'blocks' | 'lines';

/** Writes a manifest as YAML that reads back as the same values: texts that look like variables are escaped. */
export const manifestYaml = ({ kind, metadata, spec }: WrittenManifest, texts: Texts = 'blocks'): string =>
  stringify(withoutReferences({ apiVersion: 'dexsync/v1', kind, metadata: metadata as Json, spec }), {
    lineWidth: 0,
    ...(texts === 'blocks' ? {} : { blockQuote: false, doubleQuotedAsJSON: true }),
  });
