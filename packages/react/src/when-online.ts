/**
 * Calls back whenever the browser has a network again, where there is a browser.
 *
 * @returns what stops it.
 */
export function whenOnline(callback: () => void): () => void {
	// React Native has a `window` that tells nothing.
	const { window } = globalThis as { readonly window?: Partial<Window> };
	window?.addEventListener?.("online", callback);
	return () => window?.removeEventListener?.("online", callback);
}
