import { execFileSync } from 'node:child_process';

/** Tests that start the program start the built one; it must be the one of these sources. */
export function setup(): void {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'src', 'src/workspace'], {
    stdio: 'inherit',
  });
}
