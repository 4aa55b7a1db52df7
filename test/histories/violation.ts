/** A law that was broken, and where. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly law: number;
  constructor(law: number, message: string) {
    super(message);
    this.law = law;
  }
}

/** A violation as it goes from one thread to another; any other error is one of law 0. */
export interface Broken {
  readonly law: number;
  readonly message: string;
}

export const brokenBy = (error: unknown): Broken =>
  error instanceof Violation
    ? { law: error.law, message: error.message }
    : { law: 0, message: String((error as Error).stack) };
