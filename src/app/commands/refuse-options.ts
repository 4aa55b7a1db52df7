import type { Command } from 'commander';
import { DexsyncError } from '../library/library.js';

/** Throws USAGE if an option was given that has no meaning for a saved plan. Those of `dexsync` always have one. */
export function refuseOptions(command: Command, file: string, meaningful: readonly string[]): void {
  for (let one: Command | null = command; one?.parent; one = one.parent) {
    for (const option of one.options) {
      const name = option.attributeName();
      if (meaningful.includes(name) || one.getOptionValueSource(name) !== 'cli') continue;
      const flag = option.long ?? option.short ?? name;
      throw new DexsyncError('USAGE', `\`${flag}\` changes how a plan is created, but ${file} is a saved plan.`, {
        hint: `Remove \`${flag}\`, or use it with \`dexsync plan --out\`.`,
      });
    }
  }
}
