/** Draft of a message, as the tab's `sessionStorage` keeps it. Empty where there is none. */
export function loadDraft(key: string | undefined): string {
	if (key === undefined) return "";
	try {
		return globalThis.sessionStorage.getItem(key) ?? "";
	} catch {
		// Some browsers forbid it.
		return "";
	}
}

/** Keeps a draft; an empty one is removed. */
export function saveDraft(key: string | undefined, text: string): void {
	if (key === undefined) return;
	try {
		if (text === "") globalThis.sessionStorage.removeItem(key);
		else globalThis.sessionStorage.setItem(key, text);
	} catch {
		// Without a place to keep it, the draft is in the field alone.
	}
}
