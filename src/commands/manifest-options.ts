import type { Command } from 'commander';
import { assignment, collectTexts } from './option-values.js';

/** Names that `${var.NAME}` can write. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Options of every command that fills in variables. */
export const addVariableOptions = (command: Command): Command =>
  command
    .option('--var <name=value>', 'what ${var.NAME} stands for, as text; can be repeated', assignment('NAME', NAME))
    .option('--var-file <file>', 'YAML map of variables; can be repeated, later ones win', collectTexts);

/** Options of every command that works on a chosen set of manifests. */
export const addManifestOptions = (command: Command): Command =>
  addVariableOptions(command).option(
    '-f, --file <path>',
    'file or folder of manifests, or - for standard input, instead of those of the configuration; can be repeated',
    collectTexts,
  );
