import { redactError } from '#base/secrets.js';
import type { Host } from './host.js';

/**
 * Runs a part of the work whose secrets, such as the token of its session, stay its own: no text of it leaves without
 * being redacted here, and the texts of other parts are not searched for them.
 */
export async function withOwnSecrets<T>(outer: Host, work: (host: Host) => Promise<T>): Promise<T> {
  const secrets = outer.secrets.branch();
  const emit: Host['emit'] = (event) => outer.emit(secrets.redactValue(event));
  try {
    return secrets.redactValue(await work({ ...outer, secrets, emit }));
  } catch (error) {
    redactError(error, secrets);
    throw error;
  }
}
