import type { Address } from '../../model/address.js';
import type { Place } from './place.js';

/** Something that a reader of a report has to look at. */
export interface Problem {
  readonly about: 'diagnostic' | 'finding' | 'row' | 'step' | 'drift' | 'guard' | 'failure';
  readonly level: 'error' | 'warning';
  /** Stable, for filters and rules. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly address?: Address;
  /** Absent where no file is concerned. */
  readonly place?: Place;
}

/** Advice as a member of something, where there is any. */
export const advised = (hint: string | undefined): Pick<Problem, 'hint'> => (hint === undefined ? {} : { hint });

/** The message with the advice, in one text. */
export const problemText = ({ message, hint }: Pick<Problem, 'message' | 'hint'>): string =>
  hint === undefined ? message : `${message}\n${hint}`;
