import { useEffect, useState } from "react";

/** Time for which a page must have been seen before its buttons work, in milliseconds. */
const ARMING_MS = 800;

/**
 * Tells whether a page has been in front for long enough that a click is meant for it. Another page can put a window over it
 * and close that between the two clicks of a double click.
 *
 * @param isShown - whether there is something to decide about.
 */
export function useArmed(isShown: boolean): boolean {
	const [isArmed, setArmed] = useState(false);
	useEffect(() => {
		if (!isShown) return;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const start = () => {
			clearTimeout(timer);
			setArmed(false);
			if (document.visibilityState === "visible") timer = setTimeout(() => setArmed(true), ARMING_MS);
		};
		start();
		globalThis.addEventListener("focus", start);
		globalThis.addEventListener("blur", start);
		document.addEventListener("visibilitychange", start);
		return () => {
			clearTimeout(timer);
			globalThis.removeEventListener("focus", start);
			globalThis.removeEventListener("blur", start);
			document.removeEventListener("visibilitychange", start);
		};
	}, [isShown]);
	return isArmed;
}
