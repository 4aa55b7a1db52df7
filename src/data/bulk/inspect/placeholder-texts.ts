const PLACEHOLDER = /^(?:[-–—~?_.]+|t\.?b\.?[adc]\.?|n\/a|n\.a\.|#n\/a|todo|x{3,}|-- \S.* --|\(any\))$/i;
/** As programs write that there is none. */
const WRITTEN = /^(?:None|null|NULL|NaN|nan)$/;

/** Whether a text stands for no value in any column; words such as "none" are values of some. */
export const isPlaceholder = (text: string): boolean => PLACEHOLDER.test(text) || WRITTEN.test(text);
