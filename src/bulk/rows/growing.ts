/** Whole numbers in four bytes each, however many come. */
export interface Growing {
  add(value: number): void;
  values(): Uint32Array;
}

export function growing(): Growing {
  let numbers = new Uint32Array(1024);
  let count = 0;
  // Asked for each row of a join: a new view each time takes most of its time.
  let view: Uint32Array | undefined;
  return {
    add(value) {
      view = undefined;
      if (count === numbers.length) {
        const larger = new Uint32Array(count * 2);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[count] = value;
      count += 1;
    },
    values() {
      view ??= numbers.subarray(0, count);
      return view;
    },
  };
}
