import type { OpenReport } from '../library/internal.js';
import { openReport } from '../library/internal.js';
import type { Event, Host, ProjectOptions } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { checkReports, type Reports } from './report-option.js';

/** The reports of `--output`; without that option nothing is loaded and nothing is written. */
export interface CommandReport {
  event(event: Event): void;
  add: OpenReport['add'];
  /** Call before the command does anything. Throws if a file cannot be written. */
  open(host: Host, project: ProjectOptions): Promise<void>;
  /** Writes the reports, however the command ended. Only the first call does. */
  write: OpenReport['write'];
}

/** The reports of a command that is about to run. */
export function createCommandReport(cli: Cli, options: GlobalOptions, reports: Reports | undefined): CommandReport {
  let opened: OpenReport | undefined;
  return {
    event: (event) => opened?.event(event),
    add: (part, document, pieces) => opened?.add(part, document, pieces),
    async open(host, project) {
      if (reports?.targets === undefined) return;
      const { targets, json, subject } = reports;
      checkReports(reports, options);
      const name = options.command?.replace(/^dexsync /, '') ?? '';
      opened = await openReport(
        { ...project, targets, command: name, subject, json, out: cli.reportOut ?? cli.out },
        host,
      );
    },
    async write(end) {
      const report = opened;
      opened = undefined;
      await report?.write(end);
    },
  };
}
