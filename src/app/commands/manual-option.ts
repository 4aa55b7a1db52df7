import { Option } from 'commander';

/** What manual steps do to the exit code. */
export const manualOption = (): Option =>
  new Option('--manual <how>', 'whether manual steps count in the exit code').choices(['fail', 'warn']).default('fail');
