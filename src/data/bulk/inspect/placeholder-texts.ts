/** Texts that stand for no value in any column; words such as "none" are values of some. */
export const PLACEHOLDER = /^(?:[-–—~?_.]+|t\.?b\.?[adc]\.?|n\/a|n\.a\.|#n\/a|todo|x{3,}|-- \S.* --|\(any\))$/i;
