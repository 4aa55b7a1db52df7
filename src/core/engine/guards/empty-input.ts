import { type Guard, isDelete, overridableFinding, stepAddresses } from './guard.js';

/** Denies deletes if no manifest describes anything: a wrong folder is likelier than the wish to delete all. */
export const emptyInput: Guard = (steps, input) => {
  const deleted = steps.filter(isDelete);
  if (input.described > 0 || deleted.length === 0) return [];
  const what = deleted.length === 1 ? '1 object' : `${deleted.length} objects`;
  const fact = `No manifest describes any object, and ${what} would be deleted (use \`dexsync destroy\` to do that)`;
  return [overridableFinding('empty-input', input, fact, stepAddresses(deleted))];
};
