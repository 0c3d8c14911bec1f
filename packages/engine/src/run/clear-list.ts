/**
 * Empties a list that is filled again at the next step. Setting its length to 0 would give its memory back to V8, which
 * then takes new memory for each step.
 */
export function clearList(list: unknown[]): void {
	while (list.length > 0) list.pop();
}
