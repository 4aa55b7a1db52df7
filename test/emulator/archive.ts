import Papa from 'papaparse';
import { fromBuffer, type ZipFile } from 'yauzl';

/** A row by column. */
export type Row = Readonly<Record<string, string>>;

/** The files of a ZIP archive, as text, by name. */
export async function readArchive(content: Buffer): Promise<Map<string, string>> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(content, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const files = new Map<string, string>();
  return new Promise((resolve, reject) => {
    zip.on('error', reject).on('end', () => resolve(files));
    zip.on('entry', (entry) => {
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error);
        const chunks = [];
        for await (const chunk of stream) chunks.push(chunk);
        files.set(entry.fileName, Buffer.concat(chunks).toString('utf8'));
        zip.readEntry();
      });
    });
    zip.readEntry();
  });
}

/** The rows of a CSV text, read by a library that the workspace does not write it with. */
export function rowsOf(text: string | undefined): Row[] {
  const { data, errors } = Papa.parse<Record<string, string>>((text ?? '').trimEnd(), { header: true });
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data;
}

export function headerOf(text: string | undefined): string[] {
  return Papa.parse<string[]>((text ?? '').trimEnd()).data[0] ?? [];
}
