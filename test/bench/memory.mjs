import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MEGABYTE, writeCsv } from './csv-files.mjs';
import { prepared } from './reading.mjs';

const NOTE =
  'peak resident memory of the process that prepares it. Keys of rows, which are kept to find repeated ones, are in a file beyond a million and a half; what still grows is a filter of 2 MB for each such part of them.';

/** Memory of 1 GB by that of 100 MB, and of 10 MB. @type {import('./compare.mjs').Measurement} */
export const memory = {
  name: 'memory',
  isScaled: true,
  title: 'memory for 1 GB of CSV',
  of: 'memory',
  runs: 1,
  async prepare(folder, { scale }) {
    const [large, middle, small] = [1024, 100, 10].map((megabytes) => ({ megabytes, run: peak(megabytes * scale) }));
    return {
      subject: large.run,
      floors: [middle, small].map(({ megabytes, run }) => ({ against: `${megabytes} MB`, note: NOTE, run })),
      close: async () => undefined,
    };

    /** @param {number} megabytes */
    function peak(megabytes) {
      return async () => {
        const given = await writeCsv(join(folder, 'memory.csv'), megabytes * MEGABYTE);
        const { kilobytes } = await prepared(folder, 'memory.csv', given);
        await rm(given.path);
        return kilobytes;
      };
    }
  },
};
