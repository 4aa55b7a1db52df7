import { stringify } from 'yaml';
import type { Json, JsonObject } from '../model/json.js';
import { withoutReferences } from './interpolate.js';

/** What a manifest file holds of one object. */
export interface WrittenManifest {
  readonly kind: string;
  readonly metadata: object;
  readonly spec: JsonObject;
}

/** How texts of several lines are written: as blocks, or each on one line. */
type Texts = 'blocks' | 'lines';

/** One manifest as a YAML document that reads back as the same: texts that look like variables are escaped. */
export const manifestYaml = ({ kind, metadata, spec }: WrittenManifest, texts: Texts = 'blocks'): string =>
  stringify(withoutReferences({ apiVersion: 'dexsync/v1', kind, metadata: metadata as Json, spec }), {
    lineWidth: 0,
    ...(texts === 'blocks' ? {} : { blockQuote: false, doubleQuotedAsJSON: true }),
  });
