const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,2}))?$/i;

interface Decimal {
  /** The digits without a point. */
  readonly digits: bigint;
  /** Number of digits after the point. */
  readonly scale: number;
}

/** Parses a number to its last digit; undefined if it is not a number, or has an exponent of three digits. */
function decimalIn(text: string): Decimal | undefined {
  const [, sign = '', whole = '', part = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (whole === '' && part === '') return undefined;
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${part}`);
  const scale = part.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Whether a text is a number above 0 that `addDecimals` adds exactly. */
export const isAddable = (text: string): boolean => (decimalIn(text)?.digits ?? 0n) > 0n;

/** The exact sum of numbers as text, without trailing zeros: 0.1 and 0.2 are 0.3. */
export function addDecimals(texts: readonly string[]): string {
  const terms = texts.map((text) => decimalIn(text) ?? { digits: 0n, scale: 0 });
  const scale = Math.max(0, ...terms.map((term) => term.scale));
  const sum = terms.reduce((all, term) => all + term.digits * 10n ** BigInt(scale - term.scale), 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, '0');
  const [whole, part] = [
    digits.slice(0, digits.length - scale),
    digits.slice(digits.length - scale).replace(/0+$/, ''),
  ];
  return `${sum < 0n ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`;
}
