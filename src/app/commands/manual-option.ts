import { Option } from 'commander';

/** `--manual`: the effect of manual steps on the exit code. */
export const manualOption = (): Option =>
  new Option('--manual <how>', 'whether manual steps count in the exit code').choices(['fail', 'warn']).default('fail');
