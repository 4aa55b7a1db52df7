import { DexsyncError } from '#base/errors.js';
import { isThisMachine } from './this-machine.js';

/** Parses the URL of a service. Throws CONFIG_INVALID, and URL_NOT_SECURE for plain http to another machine. */
export function parseServiceUrl(url: string): URL {
  const shown = url.replaceAll(/[^/\s]*@/g, '');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new DexsyncError('CONFIG_INVALID', `"${shown}" is not the URL of a service.`, {
      hint: 'Write it in full, such as https://plm.example.com/v1.',
    });
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new DexsyncError('CONFIG_INVALID', `The URL ${shown} contains a user name or a password.`, {
      hint: 'Remove the part before the @ and use `credentials` instead. Change a password that was in a file.',
    });
  }
  if (parsed.protocol === 'http:' && !isThisMachine(parsed.hostname)) {
    throw new DexsyncError('URL_NOT_SECURE', `${shown} would send the password unencrypted to another machine.`, {
      hint: 'Use https; plain http is allowed for this machine only.',
    });
  }
  return parsed;
}
