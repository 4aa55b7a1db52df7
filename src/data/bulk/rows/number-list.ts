/** A growing list of whole numbers up to 4,294,967,295, in four bytes each. */
export class NumberList {
  #numbers = new Uint32Array(1024);
  #count = 0;
  /** Kept, since a join needs it for each row, and creating it each time would take most of the join's time. */
  #view: Uint32Array | undefined;

  add(value: number): void {
    this.#view = undefined;
    if (this.#count === this.#numbers.length) {
      const larger = new Uint32Array(this.#count * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#count] = value;
    this.#count += 1;
  }

  /** All numbers so far; a later `add` may not show in this view. */
  values(): Uint32Array {
    this.#view ??= this.#numbers.subarray(0, this.#count);
    return this.#view;
  }
}
