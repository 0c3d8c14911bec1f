import fc from "fast-check";

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/** Any character, as often of ASCII as not. Made anew here: that of the library takes a second to be set up. */
const character = fc
	.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10ffff }))
	.filter((code) => !isSurrogate(code))
	.map((code) => String.fromCodePoint(code));

/** Any text that is well-formed Unicode. */
export const unicodeText = (lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
	fc.string({ unit: character, ...lengths });
