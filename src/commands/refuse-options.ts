import type { Command } from 'commander';
import { DexsyncError } from '../index.js';

/** Options that every command has. */
const COMMON = ['config', 'env', 'timeout', 'trace', 'wait', 'color'];

/** Ends the command where an option was given that has no meaning for a plan that is made already. */
export function refuseOptions(command: Command, file: string, meaningful: readonly string[]): void {
  const allowed = [...COMMON, ...meaningful];
  for (let one: Command | null = command; one !== null; one = one.parent) {
    for (const option of one.options) {
      const name = option.attributeName();
      if (allowed.includes(name) || one.getOptionValueSource(name) !== 'cli') continue;
      const flag = option.long ?? option.short ?? name;
      throw new DexsyncError('USAGE', `${flag} decides how a plan is made, and ${file} is one that is made already.`, {
        hint: `Leave out ${flag}, or give it to \`dexsync plan --out\`.`,
      });
    }
  }
}
