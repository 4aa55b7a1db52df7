import { open } from 'node:fs/promises';

/** A rename is durable only once its folder is; systems that cannot sync a folder do it by themselves. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
