/** A law that was broken, and where. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly law: number;
  constructor(law: number, message: string) {
    super(message);
    this.law = law;
  }
}
