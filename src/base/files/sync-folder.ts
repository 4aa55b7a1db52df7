import { open } from 'node:fs/promises';

/** Syncs a folder, which makes renames in it durable; systems that cannot sync folders do so by themselves. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
