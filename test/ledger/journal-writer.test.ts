import { expect, test } from 'vitest';
import { journalWriter } from '#ledger/journal-writer.js';

const LONG = 60_000;
const failing = () => journalWriter({ patience: LONG, write: () => Promise.reject(new Error('no way')) });

test('closing throws if buffered lines cannot be written', async () => {
  const writer = failing();
  await writer.append('one\n', 'soon');
  await expect(writer.close()).rejects.toThrow('no way');
});

test('closing does not repeat a failure that a caller knows', async () => {
  const writer = failing();
  await writer.append('one\n', 'soon');
  await expect(writer.append('two\n')).rejects.toThrow('no way');
  await writer.close();
});

test('closing writes the buffered lines', async () => {
  const written: string[] = [];
  const writer = journalWriter({ patience: LONG, write: async (lines) => void written.push(lines) });
  await writer.append('one\n', 'soon');
  await writer.append('two\n', 'soon');
  await writer.close();
  expect(written).toEqual(['one\ntwo\n']);
});
