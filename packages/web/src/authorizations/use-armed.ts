import { useEffect, useState } from "react";
import { armInFront } from "./arm-in-front";

/**
 * Tells whether a page has been in front for long enough that a click is meant for it.
 *
 * @param isShown - whether there is something to decide about.
 */
export function useArmed(isShown: boolean): boolean {
	const [isArmed, setArmed] = useState(false);
	useEffect(() => (isShown ? armInFront(window, setArmed) : undefined), [isShown]);
	return isArmed;
}
