import type { Command } from 'commander';
import { assignment, collectTexts } from './option-values.js';

/** Names that `${var.NAME}` can refer to. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Adds the options of every command that fills in variables. */
export const addVariableOptions = (command: Command): Command =>
  command
    .optionsGroup('Manifest options:')
    .option(
      '--var <name=value>',
      'set ${var.NAME}: text, or a value of the type that it has in the configuration; can be repeated',
      assignment('NAME', NAME),
    )
    .option('--var-file <file>', 'read variables from a YAML map; can be repeated, later files win', collectTexts)
    .optionsGroup('Options:');

/** Adds the options of every command that works on a chosen set of manifests. */
export const addManifestOptions = (command: Command): Command =>
  addVariableOptions(command)
    .optionsGroup('Manifest options:')
    .option(
      '-f, --file <path>',
      'use this file or folder of manifests, or standard input with -, instead of those of the configuration; can be repeated',
      collectTexts,
    )
    .optionsGroup('Options:');
