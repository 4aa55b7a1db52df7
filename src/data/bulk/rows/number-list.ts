/** Whole numbers up to 4,294,967,295 in four bytes each, however many come. */
export class NumberList {
  #numbers = new Uint32Array(1024);
  #count = 0;
  /** Asked for each row of a join: a new view each time takes most of its time. */
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

  /** All of them as they are now; a later `add` may leave it behind. */
  values(): Uint32Array {
    this.#view ??= this.#numbers.subarray(0, this.#count);
    return this.#view;
  }
}
