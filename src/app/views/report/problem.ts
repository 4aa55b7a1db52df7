import type { Origin } from '#base/diagnostics.js';
import type { Address } from '#core/model/address.js';
import { sourceText } from '../source-text.js';
import type { Place } from './place.js';

/** A problem that a reader of a report has to look at. */
export interface Problem {
  readonly about:
    | 'diagnostic'
    | 'finding'
    | 'row'
    | 'step'
    | 'drift'
    | 'difference'
    | 'guard'
    | 'environment'
    | 'fleet'
    | 'failure';
  readonly level: 'error' | 'warning';
  /** Stable, for filters and rules. */
  readonly code: string;
  readonly message: string;
  /** The overlay or variable that a value comes from; does not distinguish problems. */
  readonly source?: string;
  readonly hint?: string;
  readonly address?: Address;
  /** Absent if no file is concerned. */
  readonly place?: Place;
}

/** The source of a value as a property, if its position does not show it. */
export function sourceProperty(origin: Origin | undefined): Pick<Problem, 'source'> {
  const source = sourceText(origin);
  return source === undefined ? {} : { source };
}

/** Advice as a property, if there is any. */
export const hintProperty = (hint: string | undefined): Pick<Problem, 'hint'> => (hint === undefined ? {} : { hint });

/** The message with its source and the advice. */
export const problemText = ({ message, source, hint }: Pick<Problem, 'message' | 'source' | 'hint'>): string =>
  [message, source, hint].filter((text) => text !== undefined).join('\n');
