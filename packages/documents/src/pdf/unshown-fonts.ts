/** Font of a page that is read and not shown: nothing is loaded. */
class UnshownFont {
	readonly loaded = Promise.resolve();
}

/**
 * Creates the options of PDF.js with which it takes fonts for loaded. It gives each to the browser's `FontFace`; where there is
 * none, as in Node, it would draw the outline of every letter instead, which takes a third of the time of listing what a page
 * draws. So the process that reads gets one that does nothing.
 */
export function createUnshownFonts(): object {
	if (!("FontFace" in globalThis)) Object.assign(globalThis, { FontFace: UnshownFont });
	return { disableFontFace: false, ownerDocument: { fonts: new Set() } };
}
