/** Time for which a page must have been seen before its buttons work, in milliseconds. */
export const ARMING_MS = 800;

/** Window of a page. */
export interface FrontWindow extends EventTarget {
	readonly document: EventTarget & Pick<Document, "visibilityState">;
}

/**
 * Tells when a page has been in front for long enough that a click is meant for it. Another page can put a window over it and
 * close that between the two clicks of a double click: each change of what is in front begins anew.
 *
 * @returns what ends it.
 */
export function armInFront(page: FrontWindow, setArmed: (isArmed: boolean) => void): () => void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const start = () => {
		clearTimeout(timer);
		setArmed(false);
		if (page.document.visibilityState === "visible") timer = setTimeout(() => setArmed(true), ARMING_MS);
	};
	start();
	page.addEventListener("focus", start);
	page.addEventListener("blur", start);
	page.document.addEventListener("visibilitychange", start);
	return () => {
		clearTimeout(timer);
		page.removeEventListener("focus", start);
		page.removeEventListener("blur", start);
		page.document.removeEventListener("visibilitychange", start);
	};
}
