import { afterAll, onTestFinished, type TestContext, TestRunner } from 'vitest';

/** Cleans up when the test has ended; what was begun while tests were collected ends with the file. */
export function atEnd(clean: (context?: TestContext) => unknown): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(async () => void (await clean()));
  else onTestFinished(async (context) => void (await clean(context)));
}
