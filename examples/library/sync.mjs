// @ts-check
import { apply, createHost, DexsyncError, EXIT, plan } from 'dexsync';

const host = createHost({ cwd: import.meta.dirname, onEvent: report });

try {
  const { steps, requests } = await plan({}, host);
  console.log(`Steps: ${steps.length}. Requests: at most ${requests.apply.max}.`);
  const summary = await apply({ confirm: isHarmless }, host);
  process.exitCode = summary?.exitCode ?? EXIT.incomplete;
} catch (error) {
  if (!(error instanceof DexsyncError)) throw error;
  console.error(`${error.code}: ${error.message} ${error.hint ?? ''}`);
  process.exitCode = error.code === 'LOCKED' ? EXIT.locked : error.exitCode;
}

/**
 * Whether a program may agree by itself.
 * @param {import('dexsync').Plan} plan
 */
async function isHarmless({ steps }) {
  return steps.every(({ action }) => action === 'create' || action === 'update');
}

/** @param {import('dexsync').Event} event */
function report(event) {
  switch (event.type) {
    case 'diagnostic':
      return console.error(event.diagnostic.message);
    case 'step':
      return console.log(`${event.address} ${event.status.is}`);
    case 'summary':
      return console.log(`Done: ${event.done}. Unchanged: ${event.unchanged}. Requests: ${event.requests.used}.`);
    default:
      return undefined;
  }
}
