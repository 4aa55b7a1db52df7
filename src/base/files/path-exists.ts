import { access } from 'node:fs/promises';

/** Whether a path exists, as far as this process can see. */
export const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
