/** Greater numbers are marks: free, end of a chain ([MS-CFB] 2.1). */
const LAST_SECTOR = 0xfffffffa;
/** Locations of allocation tables in the header, and where they are ([MS-CFB] 2.2). */
const IN_HEADER = 109;
const HEADER_LIST = 0x4c;

/**
 * Whether the container of an old workbook has all sectors that its allocation tables name ([MS-CFB] 2.3). The library
 * would read what there is, and rows at the end would be missing.
 */
export function isWholeContainer(bytes: Buffer): boolean {
  if (bytes.length < 512) return false;
  const size = 2 ** bytes.readUInt16LE(0x1e);
  if (size !== 512 && size !== 4096) return false;
  const isPresent = (sector: number): boolean => size * (sector + 2) <= bytes.length;
  const tables = tableSectors(bytes, size);
  return tables?.every((sector) => isPresent(sector) && nextSectors(bytes, size, sector).every(isPresent)) === true;
}

/** The sectors that follow others, by one allocation table. Writers fill the rest of a table in different ways. */
function nextSectors(bytes: Buffer, size: number, table: number): number[] {
  const entries = Array.from({ length: size / 4 }, (_, at) => bytes.readUInt32LE(size * (table + 1) + 4 * at));
  return entries.filter((sector) => sector <= LAST_SECTOR);
}

/** The sectors of the allocation tables; undefined if their list is incomplete. */
function tableSectors(bytes: Buffer, size: number): number[] | undefined {
  const count = bytes.readUInt32LE(0x2c);
  // A list that leads back to itself would never end.
  if (count > bytes.length / size) return undefined;
  const sectors: number[] = [];
  for (let at = 0; at < Math.min(count, IN_HEADER); at += 1) sectors.push(bytes.readUInt32LE(HEADER_LIST + 4 * at));
  let list = bytes.readUInt32LE(0x44);
  while (sectors.length < count) {
    const start = size * (list + 1);
    if (start + size > bytes.length) return undefined;
    const left = Math.min(count - sectors.length, size / 4 - 1);
    for (let at = 0; at < left; at += 1) sectors.push(bytes.readUInt32LE(start + 4 * at));
    list = bytes.readUInt32LE(start + size - 4);
  }
  return sectors;
}
