import type { Reader } from './client.js';
import { saysNoEndpoint } from './refusal-meaning.js';

/** Reads the release of the service: one request (wire-facts 0, "service version"); undefined if it does not say. */
export async function readRelease(reader: Reader): Promise<string | undefined> {
  const { version } = reader.profile;
  if (version === undefined) return undefined;
  try {
    const { release } = await reader.get(version);
    return typeof release === 'string' ? release : undefined;
  } catch (error) {
    if (saysNoEndpoint(error)) return undefined;
    throw error;
  }
}
