import { addressesOf, type Guard, isDelete, overridable } from './guard.js';

/** Manifests that describe nothing are rather a wrong folder than the wish to delete all. */
export const emptyInput: Guard = (steps, input) => {
  const deleted = steps.filter(isDelete);
  if (input.described > 0 || deleted.length === 0) return [];
  const what = deleted.length === 1 ? '1 object' : `${deleted.length} objects`;
  const fact = `No manifest describes any object, and ${what} would be deleted (\`dexsync destroy\` is made for that)`;
  return [overridable('empty-input', input, fact, addressesOf(deleted))];
};
