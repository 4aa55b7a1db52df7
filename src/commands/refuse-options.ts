import type { Command } from 'commander';
import { DexsyncError } from '../index.js';

/** Ends the command where an option was given that has no meaning for a plan that is made already. Those of every command have. */
export function refuseOptions(command: Command, file: string, meaningful: readonly string[]): void {
  for (let one: Command | null = command; one?.parent; one = one.parent) {
    for (const option of one.options) {
      const name = option.attributeName();
      if (meaningful.includes(name) || one.getOptionValueSource(name) !== 'cli') continue;
      const flag = option.long ?? option.short ?? name;
      throw new DexsyncError('USAGE', `${flag} decides how a plan is made, and ${file} is one that is made already.`, {
        hint: `Leave out ${flag}, or give it to \`dexsync plan --out\`.`,
      });
    }
  }
}
