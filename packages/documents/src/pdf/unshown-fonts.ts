/** Font of a page that is read and not shown: nothing is loaded. */
class UnshownFont {
	readonly loaded = Promise.resolve();
}

// PDF.js gives each font to the browser. Where there is none, it draws the outline of every letter instead, which takes a
// third of the time of listing what a page draws.
if (!("FontFace" in globalThis)) Object.assign(globalThis, { FontFace: UnshownFont });

/** Options of PDF.js with which it takes fonts for loaded, and draws no letters. */
export const UNSHOWN_FONTS: object = { disableFontFace: false, ownerDocument: { fonts: new Set() } };
