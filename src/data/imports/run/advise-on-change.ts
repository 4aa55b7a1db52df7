import { saysChangeNotOpen } from '#service/refusal-meaning.js';

/** Adds what can be done if the change of an import takes no more items. */
export const adviseOnChange = (error: unknown): unknown =>
  saysChangeNotOpen(error)
    ? error.withHint(
        'These rows were not committed. Reopen the change, or name another one by `addToChange` or `newChange`.',
      )
    : error;
