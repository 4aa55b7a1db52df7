/** The form of an environment's name in DEXSYNC_..._URL and similar variables. */
export const overrideKey = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');

/** The overrides of one environment in the process's variables, by the end of their names: `URL`, `EMAIL`. */
export const readOverrides =
  (name: string, variables: Readonly<Record<string, string | undefined>>) =>
  (key: string): string | undefined =>
    variables[`DEXSYNC_${overrideKey(name)}_${key}`];
