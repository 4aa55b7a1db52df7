import type { Event, Host, OpenReport } from '../library/library.js';
import { openReport, type ProjectOptions } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { checkReports, type Reports } from './report-option.js';

/** The reports that `--output` asks a command for; without one, nothing is loaded and nothing written. */
export interface CommandReport {
  event(event: Event): void;
  add: OpenReport['add'];
  /** Before the command does anything. Throws where a file cannot be written. */
  open(host: Host, project: ProjectOptions): Promise<void>;
  /** Once, however the command ended. */
  write: OpenReport['write'];
}

/** The reports of a command that is about to run. */
export function reportOf(cli: Cli, options: GlobalOptions, reports: Reports): CommandReport {
  let opened: OpenReport | undefined;
  return {
    event: (event) => opened?.event(event),
    add: (part, document, pieces) => opened?.add(part, document, pieces),
    async open(host, project) {
      const { targets, json } = reports;
      if (targets === undefined) return;
      checkReports(reports, options);
      const name = options.command?.replace(/^dexsync /, '') ?? '';
      opened = await openReport({ ...project, targets, command: name, json, out: cli.reportOut ?? cli.out }, host);
    },
    async write(end) {
      const report = opened;
      opened = undefined;
      await report?.write(end);
    },
  };
}
