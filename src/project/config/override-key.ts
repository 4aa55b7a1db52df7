/** An environment as DEXSYNC_..._URL and its like write it. */
export const overrideKey = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');

/** What the variables of the process set for one environment, by the end of their names: `URL`, `EMAIL`. */
export const overridesOf =
  (name: string, variables: Readonly<Record<string, string | undefined>>) =>
  (key: string): string | undefined =>
    variables[`DEXSYNC_${overrideKey(name)}_${key}`];
