/** Whole numbers in four bytes each, however many come. */
export interface Growing {
  add(value: number): void;
  values(): Uint32Array;
}

export function growing(): Growing {
  let numbers = new Uint32Array(1024);
  let count = 0;
  return {
    add(value) {
      if (count === numbers.length) {
        const larger = new Uint32Array(count * 2);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[count] = value;
      count += 1;
    },
    values: () => numbers.subarray(0, count),
  };
}
